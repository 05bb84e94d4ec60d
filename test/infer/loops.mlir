// RUN: broadloom-opt %s --split-input-file --loom-insert-guards | FileCheck %s

// sf-8: what a loop carries and does not change is what it was before the loop,
// so that one guard before it is enough; the loop's result has that shape too.

// CHECK-LABEL: func.func @sf8_carried_unchanged(
// CHECK:         loom.require %{{.*}}, "before"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_carried_unchanged(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "before", %sa is tensor<7xf32> : !loom.shape<[?]>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %y = loom.map(%p = %x : tensor<?xf32>, %q = %x : tensor<?xf32>) -> tensor<?xf32> {
      %s = arith.addf %p, %q : f32
      loom.yield %s : f32
    }
    %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_result "inside", %sy is tensor<7xf32> : !loom.shape<[?]>
    scf.yield %y : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "after", %sr is tensor<7xf32> : !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// What it does change is another extent in each round, and is checked where
// it is met.

// CHECK-LABEL: func.func @sf8_carried_changed(
// CHECK:         loom.require %{{.*}}, "before"
// CHECK:         scf.for
// CHECK:           loom.require %{{.*}}, "inside", "{{.*}}operands give {0} (operand shape {1}; result shape 7)"
// CHECK:         }
// CHECK:         loom.require %{{.*}}, "after"
func.func @sf8_carried_changed(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "before", %sa is tensor<7xf32> : !loom.shape<[?]>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<?xf32> {
    %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_result "inside", %sx is tensor<7xf32> : !loom.shape<[?]>
    %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "after", %sr is tensor<7xf32> : !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// The same for what is carried with an unknown rank. That its rank is one is
// learned in the loop; the extent in it is still not that of before.

// CHECK-LABEL: func.func @sf8_carried_changed_of_unknown_rank(
// CHECK:         scf.for
// CHECK:           loom.require %{{.*}}, "inside", "{{.*}}operands give {0} (operand shape {1}; result shape 7)"
// CHECK:         }
// CHECK:         loom.require %{{.*}}, "after"
func.func @sf8_carried_changed_of_unknown_rank(%a: tensor<*xf32>, %n: index) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<*xf32> {
    %sx = loom.shape_of %x : tensor<*xf32> -> !loom.shape<*>
    loom.constrain_result "rank", %sx is tensor<?xf32> : !loom.shape<*>
    %u = tensor.cast %x : tensor<*xf32> to tensor<?xf32>
    %su = loom.shape_of %u : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_result "inside", %su is tensor<7xf32> : !loom.shape<[?]>
    %y = tensor.concat dim(0) %u, %u : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %z = tensor.cast %y : tensor<?xf32> to tensor<*xf32>
    scf.yield %z : tensor<*xf32>
  }
  %sa = loom.shape_of %a : tensor<*xf32> -> !loom.shape<*>
  loom.constrain_result "before", %sa is tensor<7xf32> : !loom.shape<*>
  %sr = loom.shape_of %r : tensor<*xf32> -> !loom.shape<*>
  loom.constrain_result "after", %sr is tensor<7xf32> : !loom.shape<*>
  return %r : tensor<*xf32>
}

// -----

// Two values that are swapped are as wide as each other only if that is known
// before; the width that both have stays.

// CHECK-LABEL: func.func @sf8_swapped(
// CHECK:         scf.for
// CHECK:           loom.require %{{.*}}, "axis zero", "{{.*}} along axis 0
// CHECK-NOT:       loom.require
// CHECK:         return
func.func @sf8_swapped(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %d) : tensor<?x?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %e) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %sx = loom.shape_of %x : tensor<?x?xf32> -> !loom.shape<[?, ?]>
    %sy = loom.shape_of %y : tensor<?x?xf32> -> !loom.shape<[?, ?]>
    loom.constrain_broadcast "axis zero", %sx, %sy : !loom.shape<[?, ?]>, !loom.shape<[?, ?]>
    scf.yield %y, %x : tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %r#0 : tensor<?x?xf32>
}

// -----

// A guard whose values do not change in the loop stands before it. Where the
// loop need not run it checks nothing in a loop that does not.

// CHECK-LABEL: func.func @rt1_out_of_loops(
// CHECK:         %[[SAME:.*]] = arith.ori
// CHECK:         %[[EITHER:.*]] = arith.ori %{{.*}}, %[[SAME]] : i1
// CHECK:         loom.require %[[EITHER]], "always"
// CHECK:         %[[SKIPS:.*]] = arith.cmpi {{sge|sle}}
// CHECK:         %[[OK:.*]] = arith.ori %[[SKIPS]], %{{.*}} : i1
// CHECK:         loom.require %[[OK]], "if it runs"
// CHECK-NOT:     loom.require
func.func @rt1_out_of_loops(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
  scf.for %i = %c0 to %c9 step %c1 {
    scf.for %j = %c0 to %c9 step %c1 {
      loom.constrain_broadcast "always", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
    }
    scf.for %j = %c0 to %n step %c1 {
      loom.constrain_broadcast "if it runs", %sa, %sc : !loom.shape<[?]>, !loom.shape<[?]>
    }
  }
  return
}

// -----

// One under a condition stays there.

// CHECK-LABEL: func.func @rt1_not_out_of_branches(
// CHECK-NOT:     loom.require
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             loom.require
func.func @rt1_not_out_of_branches(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  scf.for %i = %c0 to %c9 step %c1 {
    scf.if %p {
      loom.constrain_broadcast "sometimes", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
    }
  }
  return
}

// -----

// The condition of a loop is always evaluated, its body need not be run.

// CHECK-LABEL: func.func @sf8_while(
// CHECK:         loom.require %{{.*}}, "condition"
// CHECK:         scf.while
// CHECK-NOT:       loom.require
// CHECK:         } do {
// CHECK:           loom.require %{{.*}}, "body"
// CHECK:         }
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_while(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
  %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_broadcast "condition", %sx, %sb : !loom.shape<[?]>, !loom.shape<[?]>
    scf.condition(%p) %x : tensor<?xf32>
  } do {
  ^bb0(%y: tensor<?xf32>):
    %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_broadcast "body", %sy, %sc : !loom.shape<[?]>, !loom.shape<[?]>
    scf.yield %y : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_result "after", %sr is tensor<?xf32> : !loom.shape<[?]>
  loom.constrain_broadcast "the same", %sr, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// TOSA's loop is the same.

// CHECK-LABEL: func.func @sf8_tosa_while(
// CHECK:         loom.require %{{.*}}, "before"
// CHECK:         tosa.while_loop
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_tosa_while(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "before", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  %r = tosa.while_loop (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%y: tensor<?xf32>):
    %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
    loom.constrain_broadcast "body", %sy, %sb : !loom.shape<[?]>, !loom.shape<[?]>
    %z = loom.map(%e = %y : tensor<?xf32>) -> tensor<?xf32> {
      %s = arith.negf %e : f32
      loom.yield %s : f32
    }
    tosa.yield %z : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "after", %sr, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return %r : tensor<?xf32>
}

// -----

// A loop of blocks: the header's argument is settled by all that comes in.

// CHECK-LABEL: func.func @sf8_loop_of_blocks(
// CHECK:         loom.require %{{.*}}, "before"
// CHECK-NOT:     loom.require
// CHECK:       ^bb1(
// CHECK:         loom.require %{{.*}}, "grows"
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_loop_of_blocks(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "before", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  cf.br ^bb1(%a, %b : tensor<?xf32>, tensor<?xf32>)
^bb1(%x: tensor<?xf32>, %y: tensor<?xf32>):
  %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
  %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "stays", %sx, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "grows", %sy, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  %z = tensor.concat dim(0) %y, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  cf.cond_br %p, ^bb1(%x, %z : tensor<?xf32>, tensor<?xf32>), ^bb2
^bb2:
  loom.constrain_broadcast "end", %sx, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return %x : tensor<?xf32>
}
