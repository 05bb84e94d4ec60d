// RUN: broadloom-opt %s --loom-guards-to-assert | FileCheck %s

// CHECK-LABEL: func.func @guard
// CHECK: cf.assert %arg0, "'tosa.add': extents ? and ? {here} differ"
// CHECK-NOT: loom.require
func.func @guard(%ok: i1, %a: index, %b: index) {
  loom.require %ok, "tosa.add", "extents {0} and {1} {{here} differ" (%a, %b : index, index)
  return
}

// -----

// The extents of what broadcasts are operations of other dialects, also where a
// shape stands elsewhere than what reads it; axes that one operand lacks are
// those of the other.
// CHECK-LABEL: func.func @broadcast_in_a_loop(
// CHECK-NOT:     loom.
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[ROWS:.*]] = tensor.dim %arg1, %c0
// CHECK:           %[[A:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?xi32>
// CHECK:           %[[B:.*]] = tensor.dim %arg1, %{{.*}} : tensor<?x?xi32>
// CHECK:           %[[IS_ONE:.*]] = arith.cmpi eq, %[[A]], %{{.*}}
// CHECK:           %[[COLUMNS:.*]] = arith.select %[[IS_ONE]], %[[B]], %[[A]]
// CHECK:           arith.addi %{{.*}}, %[[COLUMNS]]
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
