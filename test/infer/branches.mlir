// RUN: broadloom-opt %s --split-input-file --loom-insert-guards | FileCheck %s

// rt-8: a condition of a program's own branch is a fact where it holds, and
// its opposite where it does not; neither is one outside.

// CHECK-LABEL: func.func @rt8_conditions_are_facts(
// CHECK:         loom.require %{{.*}}, "after"
// CHECK:         scf.if
// CHECK-NOT:       loom.require
// CHECK:         } else {
// CHECK:           loom.require %{{.*}}, "else"
// CHECK:         }
func.func @rt8_conditions_are_facts(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %is = arith.cmpi eq, %d, %c1 : index
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  scf.if %is {
    loom.constrain_broadcast "then", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  } else {
    loom.constrain_broadcast "else", %sb, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  }
  loom.constrain_broadcast "after", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// CHECK-LABEL: func.func @rt8_conditions_of_blocks(
// CHECK:       ^bb1:
// CHECK-NOT:     loom.require
// CHECK:       ^bb2:
// CHECK:         loom.require %{{.*}}, "no"
// CHECK:       ^bb3:
// CHECK:         loom.require %{{.*}}, "both"
func.func @rt8_conditions_of_blocks(%a: tensor<?x?xf32>, %b: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %twice = arith.addi %n, %n : index
  %is = arith.cmpi eq, %m, %twice : index
  %t = tensor.concat dim(1) %a, %a : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %st = loom.shape_of %t : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
  cf.cond_br %is, ^yes, ^no
^yes:
  loom.constrain_broadcast "yes", %st, %sb : !loom.shape<[?, ?]>, !loom.shape<[?]>
  cf.br ^both
^no:
  loom.constrain_broadcast "no", %st, %sb : !loom.shape<[?, ?]>, !loom.shape<[?]>
  cf.br ^both
^both:
  loom.constrain_broadcast "both", %st, %sb : !loom.shape<[?, ?]>, !loom.shape<[?]>
  return
}

// -----

// sf-8: what comes from both branches with one extent has that extent; what
// differs gets one of its own.

// CHECK-LABEL: func.func @sf8_joined(
// CHECK:         %[[R:.*]]:2 = scf.if
// CHECK:         %[[D:.*]] = tensor.dim %[[R]]#1
// CHECK:         loom.require %{{.*}}, "differs", "{{.*}}extent {0} is axis 0 of the result of 'scf.if', extent {1} is axis 0 of argument 0)"(%[[D]], %
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_joined(%a: tensor<?xf32>, %b: tensor<?xf32>, %p: i1) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %r:2 = scf.if %p -> (tensor<?xf32>, tensor<?xf32>) {
    %y = loom.map(%e = %a : tensor<?xf32>) -> tensor<?xf32> {
      %s = arith.negf %e : f32
      loom.yield %s : f32
    }
    scf.yield %y, %y : tensor<?xf32>, tensor<?xf32>
  } else {
    scf.yield %a, %b : tensor<?xf32>, tensor<?xf32>
  }
  %s0 = loom.shape_of %r#0 : tensor<?xf32> -> !loom.shape<[?]>
  %s1 = loom.shape_of %r#1 : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "differs", %s1, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "same", %s0, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// An extent that is computed inside is not spoken of outside.

// CHECK-LABEL: func.func @sf8_inside_and_outside(
// CHECK:         %[[R:.*]] = scf.if
// CHECK:         %[[D:.*]] = tensor.dim %[[R]]
// CHECK:         loom.require %{{.*}}, "outside", "{{.*}}"(%[[D]], %
func.func @sf8_inside_and_outside(%a: tensor<?xf32>, %k: tensor<i32>, %p: i1) {
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %r = scf.if %p -> (tensor<?xf32>) {
    %v = tensor.extract %k[] : tensor<i32>
    %n = arith.index_cast %v : i32 to index
    %e = tensor.empty(%n) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  } else {
    %v = tensor.extract %k[] : tensor<i32>
    %n = arith.index_cast %v : i32 to index
    %e = tensor.empty(%n) : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "outside", %sr, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return
}

// -----

// One of several.

// CHECK-LABEL: func.func @sf8_index_switch(
// CHECK:         scf.index_switch
// CHECK:         case 4 {
// CHECK-NOT:       loom.require
// CHECK:         default {
// CHECK:           loom.require %{{.*}}, "default"
// CHECK:         }
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_index_switch(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
  %sb = loom.shape_of %b : tensor<4xf32> -> !loom.shape<[4]>
  %r = scf.index_switch %d -> tensor<?xf32>
  case 4 {
    loom.constrain_broadcast "case", %sa, %sb : !loom.shape<[?]>, !loom.shape<[4]>
    scf.yield %a : tensor<?xf32>
  }
  default {
    loom.constrain_broadcast "default", %sa, %sb : !loom.shape<[?]>, !loom.shape<[4]>
    scf.yield %a : tensor<?xf32>
  }
  %sr = loom.shape_of %r : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "after", %sr, %sa : !loom.shape<[?]>, !loom.shape<[?]>
  return
}
