// RUN: broadloom-opt %s --split-input-file --loom-insert-guards | FileCheck %s

// sf-8: what a call gives is known by what it gets: extents of results as
// numbers of extents of arguments.

// CHECK-LABEL: func.func @sf8_results_of_calls(
// CHECK:         loom.require %{{.*}}, "unrelated", "{{.*}}extent {0} is 2*n + m with n = axis 1 of argument 0 and m = axis 1 of argument 1, extent {2} is axis 0 of argument 2)"
// CHECK-NOT:     loom.require
// CHECK:         call @join
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_results_of_calls(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?xf32>) {
  %r = func.call @join(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = func.call @join(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %sr = loom.shape_of %r : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sq = loom.shape_of %q : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "unrelated", %sr, %sc : !loom.shape<[?, ?]>, !loom.shape<[?]>
  loom.constrain_broadcast "the same", %sr, %sq : !loom.shape<[?, ?]>, !loom.shape<[?, ?]>
  return
}
func.func private @join(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = func.call @twice(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.concat dim(1) %z, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(1) %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What all calls of a private function have in common is known inside.

// CHECK-LABEL: func.func private @inside(
// CHECK-NOT:     "always"
// CHECK:         loom.require %{{.*}}, "differs"
// CHECK-NOT:     loom.require
// CHECK:         return
// CHECK-LABEL: func.func @sf8_one_caller(
// CHECK-NOT:     loom.require
func.func private @inside(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) {
  %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
  %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
  %sz = loom.shape_of %z : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "always", %sx, %sy : !loom.shape<[?]>, !loom.shape<[?]>
  loom.constrain_broadcast "differs", %sx, %sz : !loom.shape<[?]>, !loom.shape<[?]>
  return
}
func.func @sf8_one_caller(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  func.call @inside(%a, %a, %b) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> ()
  return
}
func.func @sf8_other_caller(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  func.call @inside(%b, %b, %b) : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// -----

// Others may call a public function, or one that is named elsewhere, with
// anything.

// CHECK-LABEL: func.func @sf8_public(
// CHECK:         loom.require
// CHECK-LABEL: func.func private @sf8_named(
// CHECK:         loom.require
func.func @sf8_public(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
  %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "any", %sx, %sy : !loom.shape<[?]>, !loom.shape<[?]>
  return
}
func.func private @sf8_named(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  %sx = loom.shape_of %x : tensor<?xf32> -> !loom.shape<[?]>
  %sy = loom.shape_of %y : tensor<?xf32> -> !loom.shape<[?]>
  loom.constrain_broadcast "any", %sx, %sy : !loom.shape<[?]>, !loom.shape<[?]>
  return
}
func.func @caller(%a: tensor<?xf32>) {
  func.call @sf8_public(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> ()
  func.call @sf8_named(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> ()
  %f = func.constant @sf8_named : (tensor<?xf32>, tensor<?xf32>) -> ()
  return
}

// -----

// A function that calls itself: what its result is where it does not is
// confirmed where it does.

// CHECK-LABEL: func.func @sf8_recursion(
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_recursion(%a: tensor<?x?xf32>, %n: index) {
  %r = func.call @keeps(%a, %n) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
  %sr = loom.shape_of %r : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sa = loom.shape_of %a : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  loom.constrain_broadcast "same", %sr, %sa : !loom.shape<[?, ?]>, !loom.shape<[?, ?]>
  return
}
func.func private @keeps(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %p -> (tensor<?x?xf32>) {
    %m = arith.subi %n, %c1 : index
    %y = func.call @keeps(%x, %m) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
    %z = loom.map(%e = %y : tensor<?x?xf32>, %f = %x : tensor<?x?xf32>) -> tensor<?x?xf32> {
      %s = arith.addf %e, %f : f32
      loom.yield %s : f32
    }
    scf.yield %z : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// One whose result grows in each call has no summary for what grows.

// CHECK-LABEL: func.func @sf8_recursion_that_grows(
// CHECK:         %[[R:.*]] = call @grows
// CHECK:         %[[D:.*]] = tensor.dim %[[R]]
// CHECK:         loom.require %{{.*}}, "grows", "{{.*}}along axis 1: {{.*}}; extent {0} is axis 1 of the result of 'func.call'
// CHECK-NOT:     loom.require
// CHECK:         return
func.func @sf8_recursion_that_grows(%a: tensor<?x?xf32>, %n: index) {
  %r = func.call @grows(%a, %n) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
  %sr = loom.shape_of %r : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  %sa = loom.shape_of %a : tensor<?x?xf32> -> !loom.shape<[?, ?]>
  loom.constrain_broadcast "grows", %sr, %sa : !loom.shape<[?, ?]>, !loom.shape<[?, ?]>
  return
}
func.func private @grows(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %p -> (tensor<?x?xf32>) {
    %m = arith.subi %n, %c1 : index
    %y = func.call @grows(%x, %m) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
    %z = tensor.concat dim(1) %y, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %z : tensor<?x?xf32>
  } else {
    scf.yield %x : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
