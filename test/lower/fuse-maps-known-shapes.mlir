// RUN: broadloom-opt %s --split-input-file --loom-refine-shapes --loom-fuse-maps | FileCheck %s
// RUN: broadloom-opt %s --split-input-file --loom-fuse-maps | FileCheck %s --check-prefix=ALONE

// Fusion knows what the walk before it knows. A map whose result is used
// elsewhere as well is fused with a user only if both have one shape: here a
// shape function says so, there a function that is called. sf-1, sf-8

// CHECK-LABEL: func.func @sf1_by_a_shape_function(
// CHECK:         loom.map(
// CHECK-NOT:     loom.map(
// CHECK:         return
// ALONE-LABEL: func.func @sf1_by_a_shape_function(
// ALONE-COUNT-2: loom.map(
func.func @sf1_by_a_shape_function(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = tosa.reverse %a {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = loom.map(%x = %r : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %s = arith.negf %x : f32
    loom.yield %s : f32
  }
  %q = loom.map(%x = %p : tensor<?x?xf32>, %y = %a : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %p, %q : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @sf8_by_a_call(
// CHECK:         loom.map(
// CHECK-NOT:     loom.map(
// CHECK:         return
// ALONE-LABEL: func.func @sf8_by_a_call(
// ALONE-COUNT-2: loom.map(
func.func @sf8_by_a_call(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = call @same(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %p = loom.map(%x = %r : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.negf %x : f32
    loom.yield %s : f32
  }
  %q = loom.map(%x = %p : tensor<?xf32>, %y = %a : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %p, %q : tensor<?xf32>, tensor<?xf32>
}
func.func private @same(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// Where the extents differ, nobody says so.
// CHECK-LABEL: func.func @sf1_not_the_same(
// CHECK-COUNT-2: loom.map(
func.func @sf1_not_the_same(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = tosa.reverse %b {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %p = loom.map(%x = %r : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.negf %x : f32
    loom.yield %s : f32
  }
  %q = loom.map(%x = %p : tensor<?xf32>, %y = %a : tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %p, %q : tensor<?xf32>, tensor<?xf32>
}
