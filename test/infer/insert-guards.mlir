// RUN: broadloom-opt %s --split-input-file --loom-insert-guards | FileCheck %s

// What is proved leaves no trace (ext-2); one guard per fact (rt-8): the second
// operation, and the third through the broadcast of both, are settled by the
// first.

// CHECK-LABEL: func.func @rt8_one_guard_per_fact(
// CHECK-SAME:      %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<1xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[DA:.*]] = tensor.dim %[[A]], %[[C0]]
// CHECK-DAG:     %[[DB:.*]] = tensor.dim %[[B]], %[[C0]]
// CHECK-DAG:     %[[EQ:.*]] = arith.cmpi eq, %[[DA]], %[[DB]] : index
// CHECK-DAG:     %[[A1:.*]] = arith.cmpi eq, %[[DA]], %[[C1]] : index
// CHECK-DAG:     %[[B1:.*]] = arith.cmpi eq, %[[DB]], %[[C1]] : index
// CHECK:         %[[ONE:.*]] = arith.ori %[[A1]], %[[B1]] : i1
// CHECK:         %[[OK:.*]] = arith.ori %[[EQ]], %[[ONE]] : i1
// CHECK:         loom.require %[[OK]], "tosa.add",
// CHECK-SAME:      "operands are not broadcast-compatible along axis 0: extents {0} and {1}
// CHECK-SAME:      (operand shapes {0} and {1}; extent {0} is axis 0 of argument 0,
// CHECK-SAME:      extent {1} is axis 0 of argument 1)"
// CHECK-SAME:      (%[[DA]], %[[DB]] : index, index) {axis = 0 : i64}
// CHECK-NOT:     loom.
// CHECK:         return
func.func @rt8_one_guard_per_fact(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<1xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  %sc = loom.shape_of %c : tensor<1xf32> -> !loom.shape<[1]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.mul", %sb, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  %s = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.sub", %s, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.pow", %s, %sc : !loom.shape<[?]>, !loom.shape<[1]>
  return
}

// -----

// Against a static extent a guard has fewer comparisons. Two extents that were
// each checked against 4 are known to be compatible with each other.

// CHECK-LABEL: func.func @bcast2_against_static(
// CHECK:         %[[D:.*]] = tensor.dim %arg0
// CHECK:         %[[ONE:.*]] = arith.cmpi eq, %[[D]], %c1
// CHECK:         %[[FOUR:.*]] = arith.cmpi eq, %[[D]], %c4
// CHECK:         %[[OK:.*]] = arith.ori %[[ONE]], %[[FOUR]]
// CHECK:         loom.require %[[OK]], "tosa.add", "{{.*}}extents {0} and 4 (operand shapes {0} and 4;
// CHECK-SAME:      (%[[D]] : index)
// CHECK:         loom.require %{{.*}}, "tosa.mul", "{{.*}}extents 4 and {0} (operand shapes 4 and {0};
// CHECK-SAME:      extent 4 is axis 0 of argument 1, extent {0} is axis 0 of argument 2)"
// CHECK-NOT:     loom.
func.func @bcast2_against_static(%a: tensor<?xf32>, %b: tensor<4xf32>, %c: tensor<?xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<4xf32> -> !loom.shape<[4]>
  %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[4]>
  %s = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[4]>) -> !loom.shape<[4]>
  loom.constrain_broadcast "tosa.mul", %s, %sc : !loom.shape<[4]>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.pow", %sc, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// rt-1: a guard that needs only arguments runs first, whatever stands before
// its constraint, also where an extent is an index that is an argument; one that
// needs another value comes right after that.

// CHECK-LABEL: func.func @rt1_entry_and_after_the_value(
// CHECK:         loom.require %{{.*}}, "tosa.sub", "{{.*}}extent {0} is argument 2, extent {1} is axis 0 of argument 0)"(%arg2, %dim :
// CHECK:         loom.require %{{.*}}, "tosa.mul"
// CHECK:         %[[N:.*]] = arith.index_cast %extracted
// CHECK:         loom.require %{{.*}}, "tosa.add", "{{.*}}extent {0} is an element of argument 3, extent {1} is axis 0 of argument 0)"(%[[N]], %
// CHECK-NEXT:    tensor.empty(%[[N]])
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    %[[M:.*]] = loom.map
// CHECK:         return %[[M]]
func.func @rt1_entry_and_after_the_value(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %data: tensor<i32>) -> tensor<?xf32> {
  %k = tensor.extract %data[] : tensor<i32>
  %m = arith.index_cast %k : i32 to index
  %t = tensor.empty(%m) : tensor<?xf32>
  %u = tensor.empty(%n) : tensor<?xf32>
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %b : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  %st = loom.shape_of %t : tensor<?xf32> -> !loom.shape<[?]>
  %su = loom.shape_of %u : tensor<?xf32> -> !loom.shape<[?]>
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %st, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.sub", %su, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.mul", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// rt-1, rt-8: a guard in a branch stays there, and what it established is no
// fact outside of it, nor in the other branch. ext-2: what is refuted there is
// no error but fails when it is reached.

// CHECK-LABEL: func.func @rt1_branches(
// CHECK:         %[[FALSE:.*]] = arith.constant false
// CHECK-NOT:     scf.if
// CHECK:         loom.require %{{.*}}, "tosa.after"
// CHECK:         scf.if
// CHECK:           loom.require %[[FALSE]], "tosa.never", "operands are not broadcast-compatible along axis 0: extents 3 and 4
// CHECK:           loom.require %{{.*}}, "tosa.then"
// CHECK-NOT:       loom.require
// CHECK:         } else {
// CHECK:           loom.require %{{.*}}, "tosa.else"
// CHECK:         }
// CHECK-NOT:     loom.require
func.func @rt1_branches(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1, %d: tensor<3xf32>, %e: tensor<4xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  %sd = loom.shape_of %d : tensor<3xf32> -> !loom.shape<[3]>
  %se = loom.shape_of %e : tensor<4xf32> -> !loom.shape<[4]>
  scf.if %c {
    loom.constrain_broadcast "tosa.never", %sd, %se : !loom.shape<[3]>, !loom.shape<[4]>
    loom.constrain_broadcast "tosa.then", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
    loom.constrain_broadcast "tosa.again", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  } else {
    loom.constrain_broadcast "tosa.else", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  }
  loom.constrain_broadcast "tosa.after", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  scf.if %c {
    loom.constrain_broadcast "tosa.known", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  }
  return
}

// -----

// A branch's arguments are what it is given: a fact about those is one about
// them (rt-8), and a message says where they come from.

// CHECK-LABEL: func.func @rt8_branch_arguments(
// CHECK:         loom.require %{{.*}}, "tosa.before"
// CHECK:         tosa.cond_if
// CHECK-NOT:       loom.require
// CHECK:         } else {
// CHECK:           loom.require %{{.*}}, "tosa.else", "{{.*}}extent {0} is axis 0 of argument 0, extent {1} is axis 0 of argument 2)"(%dim, %
func.func @rt8_branch_arguments(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %d: tensor<i1>) -> tensor<?xf32> {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.before", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  %r = "tosa.cond_if"(%d, %a, %b) ({
  ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
    %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
    %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_broadcast "tosa.then", %sx, %sy : !loom.shape<[?]>, !loom.shape<[?]>
    "tosa.yield"(%x) : (tensor<?xf32>) -> ()
  }, {
  ^bb0(%x: tensor<?xf32>, %y: tensor<?xf32>):
    %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_broadcast "tosa.else", %sx, %sc : !loom.shape<[?]>, !loom.shape<[?]>
    "tosa.yield"(%x) : (tensor<?xf32>) -> ()
  }) : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// In unstructured control flow only the entry block is always run.

// CHECK-LABEL: func.func @rt1_blocks(
// CHECK:         cf.cond_br
// CHECK:       ^bb1:
// CHECK:         loom.require %{{.*}}, "tosa.one"
// CHECK:       ^bb2:
// CHECK:         loom.require %{{.*}}, "tosa.two"
func.func @rt1_blocks(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  loom.constrain_broadcast "tosa.one", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  cf.br ^bb2
^bb2:
  loom.constrain_broadcast "tosa.two", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// rt-4: a declared result is checked, also where the operands' extents are only
// known together, and then it is a fact.

// CHECK-LABEL: func.func @rt4_declared_result(
// CHECK:         loom.require %{{.*}}, "tosa.add", "operands are not
// CHECK:         %[[A1:.*]] = arith.cmpi eq, %dim, %c1
// CHECK:         %[[J:.*]] = arith.select %[[A1]], %dim_0, %dim
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[J]], %c4
// CHECK:         loom.require %[[OK]], "tosa.add", "result axis 0 has extent 4 but the operands give {0} (operand shapes {1} and {2}; result shape 4)"(%[[J]], %dim, %dim_0 :
// CHECK-SAME:      {axis = 0 : i64}
// CHECK-NOT:     loom.
func.func @rt4_declared_result(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  %s = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  loom.constrain_result "tosa.add", %s is tensor<4xf32> : !loom.shape<[?]>
  loom.constrain_result "tosa.exp", %s is tensor<4xf32> : !loom.shape<[?]>
  loom.constrain_broadcast "tosa.sub", %s, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// What a map's type says is no fact before its constraint has said so.

// CHECK-LABEL: func.func @rt4_types_of_maps_are_no_facts(
// CHECK:         loom.require %{{.*}}, "tosa.add", "result axis 0 has extent 4 but the operands give {0}
// CHECK:         loom.map
func.func @rt4_types_of_maps_are_no_facts(%a: tensor<?xf32>) -> tensor<4xf32> {
  %m = loom.map(%x = %a : tensor<?xf32>) -> tensor<4xf32> {
    loom.yield %x : f32
  }
  %s = loom.shape_of %m : tensor<4xf32> -> !loom.shape<[4]>
  loom.constrain_result "tosa.add", %s is tensor<4xf32> : !loom.shape<[4]>
  return %m : tensor<4xf32>
}

// -----

// ext-3: 0 is as static as any other extent.

// CHECK-LABEL: func.func @ext3_zero(
// CHECK:         arith.cmpi eq, %dim, %c1
// CHECK:         arith.cmpi eq, %dim, %c0
// CHECK:         loom.require %{{.*}}, "tosa.add", "{{.*}}extents 0 and {0}
func.func @ext3_zero(%a: tensor<0xf32>, %b: tensor<?xf32>) {
  %sa = loom.shape_of %a : tensor<0xf32> -> !loom.shape<[0]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[0]>, !loom.shape<[?]>
  return
}

// -----

// Three operands: all pairs; axes from the right (bcast-1).

// CHECK-LABEL: func.func @bcast4_three(
// CHECK:         loom.require {{.*}} along axis 1: {{.*}} (operand shapes {{.*}} of operands 0 and 1;
// CHECK:         loom.require {{.*}} along axis 1: {{.*}} of operands 0 and 2;
// CHECK:         loom.require {{.*}} along axis 1: {{.*}} of operands 1 and 2;
// CHECK-NOT:     loom.require
func.func @bcast4_three(%a: tensor<?xf32>, %b: tensor<?x?xf32>, %c: tensor<1x?xf32>) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sc = loom.shape_of %c : tensor<1x?xf32> -> !loom.shape<[1, ?]>
  loom.constrain_broadcast "tosa.select", %sa, %sb, %sc : !loom.shape<[?]>, !loom.shape<[?, ?]>, !loom.shape<[1, ?]>
  return
}

// -----

// rt-7: where a rank is not known the runtime compares; the rank that a result
// declares is checked, and from then on its extents are symbols.

// CHECK-LABEL: func.func @rt7_unranked(
// CHECK:         %[[SA:.*]] = loom.shape_of %arg0
// CHECK:         %[[SB:.*]] = loom.shape_of %arg1
// CHECK:         loom.require_broadcast "tosa.add", %[[SA]], %[[SB]] of ["argument 0", "argument 1"] :
// CHECK:         %[[S:.*]] = loom.broadcast %[[SA]], %[[SB]]
// CHECK:         %[[R:.*]] = loom.rank %[[S]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[R]], %c2
// CHECK:         loom.require %[[OK]], "tosa.add", "result has rank 2 but the operands give rank {0} (operand shapes {1} and {2})"(%[[R]], %[[SA]], %dim : index, !loom.shape<*>, index)
// CHECK-DAG:     %[[E1:.*]] = loom.extent %[[S]][-1]
// CHECK-DAG:     %[[E2:.*]] = loom.extent %[[S]][-2]
// CHECK:         %[[OK4:.*]] = arith.cmpi eq, %[[E1]], %c4
// CHECK:         loom.require %[[OK4]], "tosa.add", "result axis 1 has extent 4 but the operands give {0} (operand shapes {1} and {2}; result shape {3}x4)"(%[[E1]], %[[SA]], %dim, %[[E2]] :
// CHECK-NOT:     loom.require
// CHECK:         loom.map
func.func @rt7_unranked(%a: tensor<*xf32>, %b: tensor<?xf32>) -> tensor<?x4xf32> {
  %sa = loom.shape_of %a : tensor<*xf32> -> !loom.shape<*>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<*>, !loom.shape<[?]>
  %s = loom.broadcast %sa, %sb : (!loom.shape<*>, !loom.shape<[?]>) -> !loom.shape<*>
  loom.constrain_result "tosa.add", %s is tensor<?x4xf32> : !loom.shape<*>
  %m = loom.map(%x = %a : tensor<*xf32>, %y = %b : tensor<?xf32>) -> tensor<?x4xf32> {
    %p = arith.mulf %x, %y : f32
    loom.yield %p : f32
  }
  // All of this is known by now.
  loom.constrain_broadcast "tosa.again", %s, %sb : !loom.shape<*>, !loom.shape<[?]>
  loom.constrain_broadcast "tosa.self", %sa, %sa : !loom.shape<*>, !loom.shape<*>
  %sm = loom.shape_of %m : tensor<?x4xf32> -> !loom.shape<[?, 4]>
  loom.constrain_broadcast "tosa.sub", %s, %sm : !loom.shape<*>, !loom.shape<[?, 4]>
  return %m : tensor<?x4xf32>
}

// -----

// rt-1: the runtime compares at the entry, with what the extents of a tensor will
// be, and not when the tensor is there.

// CHECK-LABEL: func.func @rt1_unranked_and_later(
// CHECK:         %[[SA:.*]] = loom.shape_of %arg0
// CHECK:         %[[N:.*]] = tensor.dim %arg1
// CHECK:         %[[LATER:.*]] = arith.addi %[[N]], %c3
// CHECK:         %[[SB:.*]] = loom.from_extents %[[LATER]] : <[?]>
// CHECK:         loom.require_broadcast "tosa.add", %[[SA]], %[[SB]] of
// CHECK:         loom.map
// CHECK:         tensor.pad
func.func @rt1_unranked_and_later(%a: tensor<*xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %m = loom.map(%x = %b : tensor<?xf32>) -> tensor<?xf32> {
    %p = arith.mulf %x, %x : f32
    loom.yield %p : f32
  }
  %zero = arith.constant 0.0 : f32
  %later = tensor.pad %b low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  %sa = loom.shape_of %a : tensor<*xf32> -> !loom.shape<*>
  %sb = loom.shape_of %later : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<*>, !loom.shape<[?]>
  return %m : tensor<?xf32>
}

// -----

// rt-1: an identity has the shape of its operand, so that its tensor need not be
// there.

// CHECK-LABEL: func.func @rt1_unranked_identity(
// CHECK:         %[[SA:.*]] = loom.shape_of %arg0
// CHECK:         %[[SB:.*]] = loom.shape_of %arg1
// CHECK:         loom.require_broadcast "tosa.add", %[[SA]], %[[SB]] of
// CHECK:         tosa.identity
func.func @rt1_unranked_identity(%a: tensor<*xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %i = tosa.identity %a : (tensor<*xf32>) -> tensor<*xf32>
  %sa = loom.shape_of %i : tensor<*xf32> -> !loom.shape<*>
  %sb = loom.shape_of %b : tensor<*xf32> -> !loom.shape<*>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<*>, !loom.shape<*>
  return %i : tensor<*xf32>
}

// -----

// A condition on data is checked where it is computed.

// CHECK-LABEL: func.func @el1_data(
// CHECK:         %[[OK:.*]] = arith.cmpi ult
// CHECK-NEXT:    loom.require %[[OK]], "tosa.mul", "shift {0} is not in 0 to 63"(%arg0 : i8)
// CHECK-NEXT:    return
func.func @el1_data(%shift: i8) {
  %c64 = arith.constant 64 : i8
  %ok = arith.cmpi ult, %shift, %c64 : i8
  loom.constrain "tosa.mul", %ok, "shift {0} is not in 0 to 63"(%shift : i8)
  return
}

// -----

// rfc-4: beside linalg the constraints are the same, and so are the guards.

// CHECK-LABEL: func.func @rfc4_beside_linalg(
// CHECK:         loom.require %{{.*}}, "tosa.add"
// CHECK:         tensor.empty
// CHECK:         linalg.generic
#map = affine_map<(d0) -> (d0)>
func.func @rfc4_beside_linalg(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A private function need not be called at all.

// CHECK-LABEL: func.func private @ext2_private(
// CHECK:         loom.require %false, "tosa.sub"
// CHECK:         loom.require %false, "tosa.add", "result has rank 1 but the operands give rank 2 (operand shape {0}x4)"
func.func private @ext2_private(%a: tensor<3xf32>, %b: tensor<?x4xf32>) {
  %sa = loom.shape_of %a : tensor<3xf32> -> !loom.shape<[3]>
  %sb = loom.shape_of %b : tensor<?x4xf32> -> !loom.shape<[?, 4]>
  loom.constrain_broadcast "tosa.sub", %sa, %sb : !loom.shape<[3]>, !loom.shape<[?, 4]>
  loom.constrain_result "tosa.add", %sb is tensor<?xf32> : !loom.shape<[?, 4]>
  return
}
