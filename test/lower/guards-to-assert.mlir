// RUN: broadloom-opt %s --split-input-file --loom-guards-to-assert | FileCheck %s

// CHECK-LABEL: func.func @guard
// CHECK: cf.assert %arg0, "'tosa.add': extents ? and ? {here} differ"
// CHECK-NOT: loom.require
func.func @guard(%ok: i1, %a: index, %b: index) {
  loom.require %ok, "tosa.add", "extents {0} and {1} {{here} differ" (%a, %b : index, index)
  return
}

// -----

// The extents of what broadcasts are operations of other dialects, behind what
// made the shape and not where each is read; an axis that one operand lacks is
// that of the other.
// CHECK-LABEL: func.func @broadcast_in_a_loop(
// CHECK-NOT:     loom.
// CHECK-DAG:     %[[A:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?xi32>
// CHECK-DAG:     %[[ROWS:.*]] = tensor.dim %arg1, %c0{{.*}} : tensor<?x?xi32>
// CHECK-DAG:     %[[B:.*]] = tensor.dim %arg1, %c1{{.*}} : tensor<?x?xi32>
// CHECK:         %[[IS_ONE:.*]] = arith.cmpi eq, %[[A]], %{{.*}}
// CHECK:         %[[COLUMNS:.*]] = arith.select %[[IS_ONE]], %[[B]], %[[A]]
// CHECK-NOT:     arith.select
// CHECK:         scf.for
// CHECK-NEXT:      arith.addi %[[ROWS]], %[[COLUMNS]]
// CHECK-NOT:     loom.
// CHECK:         return
func.func @broadcast_in_a_loop(%a: tensor<?xi32>, %b: tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sa = loom.shape_of %a : tensor<?xi32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?x?xi32> -> !loom.shape<[?, ?]>
  %s = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?, ?]>) -> !loom.shape<[?, ?]>
  scf.for %i = %c0 to %c3 step %c1 {
    %rows = loom.extent %s[0] : !loom.shape<[?, ?]>
    %columns = loom.extent %s[1] : !loom.shape<[?, ?]>
    %n = arith.addi %rows, %columns : index
    %ok = arith.cmpi slt, %i, %n : index
    loom.require %ok, "tosa.add", "index {0} is outside"(%i : index)
  }
  return
}

// -----

// A shape that many read is evaluated once.
// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-3: arith.select
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @shared(%a: tensor<?xi32>, %b: tensor<?xi32>) -> index {
  %s = loom.shape_of %a : tensor<?xi32> -> !loom.shape<[?]>
  %t = loom.shape_of %b : tensor<?xi32> -> !loom.shape<[?]>
  %0 = loom.broadcast %s, %t : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  %1 = loom.broadcast %0, %0 : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  %2 = loom.broadcast %1, %1 : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  %n = loom.extent %2[0] : !loom.shape<[?]>
  return %n : index
}
