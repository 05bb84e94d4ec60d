// sf-4: the fused program with and without guards differs in the guards alone.
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-fuse-maps --loom-insert-guards | grep -v "loom.require\|arith.cmpi\|arith.ori\|arith.select .* : index\|tensor.dim\|arith.constant [0-9]* : index" | sed 's/ attributes {kinds = .*} ->/ ->/; s/%[a-z_]*[0-9]*/%%/g' > %t.with
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-fuse-maps | grep -v "loom.constrain\|loom.shape_of\|loom.broadcast\|arith.constant [0-9]* : index" | sed 's/%[a-z_]*[0-9]*/%%/g' > %t.without
// RUN: diff %t.with %t.without
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-fuse-maps --loom-insert-guards | FileCheck %s

// CHECK:       loom.require
// CHECK:       loom.map
// CHECK-NOT:   loom.map
func.func @sf4_guards_alone(%a: tensor<?x?xf32>, %b: tensor<1x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.sub %1, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
