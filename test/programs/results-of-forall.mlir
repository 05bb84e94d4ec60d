// What scf.forall gives has the shape of what it is put into, so that a type which
// says more is checked at the entry, before anything is computed (rt-1).
// RUN: broadloom-opt %s --broadloom-check | FileCheck %s
// RUN: not broadloom run %s --input=5xf32=1 --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: results-of-forall.mlir:[[@LINE+15]]:{{[0-9]+}}: 'tensor.cast': result axis 0 has extent 5 but the operands give 4

// CHECK:     loom.require {{.*}}"tensor.cast", "result axis 0 has extent 5
// CHECK:     scf.forall
// CHECK-NOT: loom.require {{.*}}"tensor.cast"
// CHECK:     return
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<5xf32>) {
  %n = arith.constant 2 : index
  %0 = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>
  %1 = scf.forall (%i) in (%n) shared_outs(%o = %b) -> (tensor<?xf32>) {
    %part = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<5xf32>
  return %0, %2 : tensor<?xf32>, tensor<5xf32>
}
