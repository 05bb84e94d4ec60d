// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-loom | FileCheck %s
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-loom --loom-insert-guards | FileCheck %s --check-prefix=LEFT

// What upstream's operations take for granted is recorded before them, and
// what the program itself says proves much of it. rt-11

// The types say everything.
// CHECK-LABEL: func.func @static
// CHECK-NOT: loom.constrain
// LEFT-LABEL: func.func @static
func.func @static(%a: tensor<8xf32>, %b: tensor<2x3xf32>, %c: tensor<3x2xf32>, %d: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %0 = tensor.extract_slice %a[6] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %1 = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %2 = linalg.matmul ins(%b, %c : tensor<2x3xf32>, tensor<3x2xf32>) outs(%d : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}

// There and back: the product is what was collapsed.
// CHECK-LABEL: func.func @expandAgain
// CHECK: loom.constrain "tensor.expand_shape", %{{.*}}, "axis 0 has extent {0} and cannot become {1}x{2}"
// LEFT-LABEL: func.func @expandAgain
// LEFT-NOT: loom.require
// LEFT: return
func.func @expandAgain(%a: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x4xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?x4xf32>
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%n, %m, 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
  return %1 : tensor<?x?x4xf32>
}

// An argument's extents are checked at entry.
// LEFT-LABEL: func.func @expandBy
// LEFT: %[[N:.*]] = tensor.dim
// LEFT: loom.require {{.*}} "axis 0 has extent {0} and cannot become {1}x{2}"
func.func @expandBy(%a: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A half, taken twice.
// LEFT-LABEL: func.func @halves
// LEFT-NOT: loom.require
// LEFT: return
func.func @halves(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %h = arith.divui %n, %c2 : index
  %0 = tensor.extract_slice %a[0] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %a[%h] [%h] [1] : tensor<?xf32> to tensor<?xf32>
  %2 = linalg.add ins(%0, %1 : tensor<?xf32>, tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// Indices of elements of one's own are inside.
// LEFT-LABEL: func.func @generated
// LEFT-NOT: loom.require
// LEFT: return
func.func @generated(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %0 = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %a[%j, %i] : tensor<?x?xf32>
    tensor.yield %e : f32
  } : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// LEFT-LABEL: func.func @indexed
// LEFT-NOT: loom.require
// LEFT: return
func.func @indexed(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%0 : tensor<?xf32>) {
  ^bb0(%y: f32):
    %i = linalg.index 0 : index
    %e = tensor.extract %a[%i] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// LEFT-LABEL: func.func @forall
// LEFT-NOT: loom.require
// LEFT: return
func.func @forall(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = scf.forall (%i) in (%n) shared_outs(%d = %a) -> (tensor<?xf32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %d[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// What goes up from 0 stays at 0 or above; how far it goes is not known.
// LEFT-LABEL: func.func @count
// LEFT: scf.for
// LEFT-NOT: loom.require
// LEFT: return
func.func @count(%a: tensor<?xi1>) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xi1>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
    %is = tensor.extract %a[%i] : tensor<?xi1>
    %next = scf.if %is -> (index) {
      %more = arith.addi %at, %c1 : index
      scf.yield %more : index
    } else {
      scf.yield %at : index
    }
    scf.yield %next : index
  }
  %m = arith.minsi %k, %n : index
  %0 = tensor.extract_slice %a[0] [%m] [1] : tensor<?xi1> to tensor<?xi1>
  return %0 : tensor<?xi1>
}

// What goes down from there does not.
// LEFT-LABEL: func.func @countDown
// LEFT: scf.for
// LEFT: loom.require {{.*}} "the slice takes {0} elements of axis 0 from {1} on, but the extent is {2}"
func.func @countDown(%a: tensor<?xi1>) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xi1>
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c1) -> (index) {
    %less = arith.subi %at, %c1 : index
    scf.yield %less : index
  }
  %m = arith.minsi %k, %n : index
  %0 = tensor.extract_slice %a[0] [%m] [1] : tensor<?xi1> to tensor<?xi1>
  return %0 : tensor<?xi1>
}

// A guard in the body of a structured operation fails at the element.
// LEFT-LABEL: func.func @lookUp
// LEFT: linalg.generic
// LEFT: loom.require {{.*}} "index {0} is outside axis 0, which has extent {1}"
// LEFT: tensor.extract
func.func @lookUp(%a: tensor<?xf32>, %i: tensor<4xindex>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<4xindex>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: index, %y: f32):
    %e = tensor.extract %a[%x] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A known divisor is no constraint, and no extent is the least integer.
// LEFT-LABEL: func.func @divide
// LEFT-NOT: loom.require
// LEFT: loom.require {{.*}} "division by 0"
// LEFT: loom.require {{.*}} "division of the least integer by -1"
// LEFT-NOT: loom.require
// LEFT: return
func.func @divide(%a: index, %b: index, %t: tensor<?xf32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %0 = arith.divsi %a, %c2 : index
  %1 = arith.divsi %n, %b : index
  %3 = arith.divsi %a, %b : index
  %s = arith.addi %n, %c2 : index
  %2 = arith.remsi %a, %s : index
  return %0, %1, %2, %3 : index, index, index, index
}

// The program's own assertion, and what it proves.
// CHECK-LABEL: func.func @assert
// CHECK: loom.constrain "cf.assert", %{{.*}}, "{{[{][{]}}n} are equal"
// LEFT-LABEL: func.func @assert
// LEFT: loom.require {{.*}} "cf.assert"
// LEFT-NOT: loom.require
// LEFT: return
func.func @assert(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "{n} are equal"
  %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
