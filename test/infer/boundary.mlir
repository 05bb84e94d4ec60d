// RUN: broadloom-opt %s --broadloom-legalize --broadloom-guard --split-input-file --verify-diagnostics | FileCheck %s

// An axis that does not go on may be empty (bnd-2).
// CHECK-LABEL: func.func @known
// CHECK-NOT: loom.require
// CHECK: loom.boundary wrap {{.*}} : tensor<3x?xf32> to tensor<?x?xf32>
func.func @known(%x: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %p = loom.boundary wrap %x low[1, 0] high[2, 0] : tensor<3x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @open
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK: %[[ANY:.*]] = arith.cmpi sge, %[[N]]
// CHECK: loom.require %[[ANY]], "loom.boundary", "axis 0 has no elements, and padding of {0} and {1} by mode 'reflect' needs one"
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %p = loom.boundary reflect %x low[1] high[2] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// With a value, an empty axis goes on.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: loom.require
func.func @constant(%x: tensor<?xf32>, %c: f32) -> tensor<?xf32> {
  %p = loom.boundary constant %x with %c : f32 low[1] high[2] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @declared
// CHECK: loom.require {{.*}} "loom.boundary", "result axis 0 has extent {0} but is declared to have {1}"
func.func @declared(%x: tensor<?xf32>, %c: f32) -> tensor<7xf32> {
  %p = loom.boundary constant %x with %c : f32 low[1] high[2] : tensor<?xf32> to tensor<7xf32>
  return %p : tensor<7xf32>
}

// -----

func.func @empty(%x: tensor<2x0xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'loom.boundary': axis 1 has no elements, and padding of 1 and 2 by mode 'replicate' needs one}}
  %p = loom.boundary replicate %x low[0, 1] high[0, 2] : tensor<2x0xf32> to tensor<2x3xf32>
  return %p : tensor<2x3xf32>
}

// -----

func.func @contradiction(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'loom.boundary': result axis 0 has extent 7 but is declared to have 8}}
  %p = loom.boundary replicate %x low[1] high[2] : tensor<4xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----

func.func @interior(%x: tensor<4xf32>, %c: f32) -> tensor<8xf32> {
  // expected-error@+1 {{'loom.boundary': result axis 0 has extent 11 but is declared to have 8}}
  %p = loom.boundary constant %x with %c : f32 low[1] high[0] interior [2] : tensor<4xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----

// An axis without elements has none between them.
func.func @none_between(%x: tensor<0xf32>, %c: f32) -> tensor<3xf32> {
  %p = loom.boundary constant %x with %c : f32 low[1] high[2] interior [5] : tensor<0xf32> to tensor<3xf32>
  return %p : tensor<3xf32>
}
