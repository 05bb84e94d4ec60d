// RUN: broadloom-opt %s --loom-fold-elements | FileCheck %s

// What `broadloom shapes` makes of given values: constants, on which guards
// depend, so that a shape query has them (abi-2).

// Elements that are read, and operations on scalars.
// CHECK-LABEL: func.func @elements(
// CHECK:         %[[HOLDS:.*]] = arith.constant true
// CHECK:         loom.require %[[HOLDS]], "test"
func.func @elements() -> tensor<2xi64> {
  %t = arith.constant dense<[7, 3]> : tensor<2xi64>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i64
  %e = tensor.extract %t[%c1] : tensor<2xi64>
  %less = arith.cmpi slt, %e, %c4 : i64
  loom.require %less, "test", "an element is not below 4"
  return %t : tensor<2xi64>
}

// A map, broadcasting its operands.
// CHECK-LABEL: func.func @map(
// CHECK:         %[[R:.*]] = arith.constant dense<{{\[}}[11, 21], [12, 22]]> : tensor<2x2xi32>
// CHECK:         return %[[R]]
func.func @map() -> tensor<2x2xi32> {
  %a = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = arith.constant dense<[10, 20]> : tensor<2xi32>
  %r = loom.map(%x = %a : tensor<2x1xi32>, %y = %b : tensor<2xi32>) -> tensor<2x2xi32> {
    %s = arith.addi %x, %y : i32
    loom.yield %s : i32
  }
  return %r : tensor<2x2xi32>
}

// A guard in the body of a structured operation fails in front of that, with the
// values that refute it.
// CHECK-LABEL: func.func @failing(
// CHECK-DAG:     %[[NO:.*]] = arith.constant false
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK:         loom.require %[[NO]], "test", "{0} is not below 4"(%[[SEVEN]] : i32)
// CHECK-NEXT:    linalg.generic
func.func @failing(%out: tensor<2xi32>) -> tensor<2xi32> {
  %a = arith.constant dense<[3, 7]> : tensor<2xi32>
  %c4 = arith.constant 4 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<2xi32>) outs(%out : tensor<2xi32>) {
  ^bb0(%x: i32, %o: i32):
    %less = arith.cmpi slt, %x, %c4 : i32
    loom.require %less, "test", "{0} is not below 4"(%x : i32)
    linalg.yield %x : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// A branch whose condition is known is inlined, and a short loop is unrolled, so
// that guards in it are on constants.
// CHECK-LABEL: func.func @control(
// CHECK-NOT:     scf.
// CHECK:         loom.require %true{{.*}}, "test"
// CHECK:         loom.require %false{{.*}}, "test"
// CHECK-NOT:     scf.
// CHECK:         return
func.func @control(%n: index) -> index {
  %t = arith.constant dense<[3, 7]> : tensor<2xi64>
  %yes = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : i64
  %r = scf.if %yes -> index {
    %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %n) -> index {
      %e = tensor.extract %t[%i] : tensor<2xi64>
      %less = arith.cmpi slt, %e, %c4 : i64
      loom.require %less, "test", "an element is not below 4"
      %next = arith.addi %s, %i : index
      scf.yield %next : index
    }
    scf.yield %sum : index
  } else {
    scf.yield %c0 : index
  }
  return %r : index
}

// Numbers that are not integers, and unknown ones, stay.
// CHECK-LABEL: func.func @others(
// CHECK:         loom.map
// CHECK:         loom.map
func.func @others(%u: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = loom.map(%x = %a : tensor<2xf32>) -> tensor<2xf32> {
    %s = arith.addf %x, %x : f32
    loom.yield %s : f32
  }
  %q = loom.map(%x = %u : tensor<2xi32>) -> tensor<2xi32> {
    %s = arith.addi %x, %x : i32
    loom.yield %s : i32
  }
  return %r, %q : tensor<2xf32>, tensor<2xi32>
}
