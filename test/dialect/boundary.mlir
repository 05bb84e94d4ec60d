// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: loom.boundary reflect %arg0 low [1, 1] high [1, %arg1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK: loom.boundary constant %arg2 with %arg3 : f32 low [2] high [0] : tensor<8xf32> to tensor<10xf32>
func.func @forms(%x: tensor<?x?xf32>, %n: index, %y: tensor<8xf32>, %c: f32) -> (tensor<?x?xf32>, tensor<10xf32>) {
  %p = loom.boundary reflect %x low[1, 1] high[1, %n] : tensor<?x?xf32> to tensor<?x?xf32>
  %q = loom.boundary constant %y with %c : f32 low[2] high[0] : tensor<8xf32> to tensor<10xf32>
  return %p, %q : tensor<?x?xf32>, tensor<10xf32>
}

// -----

func.func @rank(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'loom.boundary' op makes 'tensor<?x?xf32>' of 'tensor<?xf32>'; rank and elements are those of the source, and both are tensors or memory}}
  %p = loom.boundary wrap %x low[1] high[1] : tensor<?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

func.func @elements(%x: tensor<?xf32>) -> tensor<?xf64> {
  // expected-error@+1 {{'loom.boundary' op makes 'tensor<?xf64>' of 'tensor<?xf32>'; rank and elements are those of the source, and both are tensors or memory}}
  %p = loom.boundary wrap %x low[1] high[1] : tensor<?xf32> to tensor<?xf64>
  return %p : tensor<?xf64>
}

// -----

func.func @numbers(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'loom.boundary' op has 1 numbers for `high`, but the source has rank 2}}
  %p = loom.boundary wrap %x low[1, 0] high[1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

func.func @operands(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{'loom.boundary' op has 1 operands for `low`, where 0 are wanted}}
  %p = "loom.boundary"(%x, %n) <{mode = 4 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_high = array<i64: 1>, static_low = array<i64: 1>}> : (tensor<?xf32>, index) -> tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

func.func @negative(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'loom.boundary' op has -2 elements more along axis 1, expected at least 0}}
  %p = loom.boundary wrap %x low[1, 1] high[1, -2] : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

func.func @overflow(%x: tensor<2xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'loom.boundary' op has padding of 9223372036854775806 and 0 for axis 0, which does not fit 63 bits}}
  %p = loom.boundary wrap %x low[9223372036854775806] high[0] : tensor<2xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

func.func @none(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'loom.boundary' op of mode 'constant' needs a value}}
  %p = loom.boundary constant %x low[1] high[1] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

func.func @unread(%x: tensor<?xf32>, %c: f32) -> tensor<?xf32> {
  // expected-error@+1 {{'loom.boundary' op has a value, which only mode 'constant' takes}}
  %p = loom.boundary wrap %x with %c : f32 low[1] high[1] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

func.func @other(%x: tensor<?xf32>, %c: f64) -> tensor<?xf32> {
  // expected-error@+1 {{'loom.boundary' op has a value of type 'f64' for elements of type 'f32'}}
  %p = loom.boundary constant %x with %c : f64 low[1] high[1] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// CHECK: loom.boundary wrap %arg0 low [1] high [2] : memref<?xf32, strided<[?]>> to memref<?xf32>
func.func @memory(%m: memref<?xf32, strided<[?]>>) {
  %p = loom.boundary wrap %m low[1] high[2] : memref<?xf32, strided<[?]>> to memref<?xf32>
  return
}

// -----

func.func @layout(%m: memref<?xf32>) {
  // expected-error@+1 {{'loom.boundary' op makes 'memref<?xf32, strided<[?]>>' of 'memref<?xf32>'; write the result without a layout, in the same memory space}}
  %p = loom.boundary wrap %m low[1] high[2] : memref<?xf32> to memref<?xf32, strided<[?]>>
  return
}

// -----

func.func @space(%m: memref<?xf32, 1>) {
  // expected-error@+1 {{'loom.boundary' op makes 'memref<?xf32>' of 'memref<?xf32, 1>'; write the result without a layout, in the same memory space}}
  %p = loom.boundary wrap %m low[1] high[2] : memref<?xf32, 1> to memref<?xf32>
  return
}

// -----

func.func @tensor_of_memory(%m: memref<?xf32>) {
  // expected-error@+1 {{'loom.boundary' op makes 'tensor<?xf32>' of 'memref<?xf32>'; rank and elements are those of the source, and both are tensors or memory}}
  %p = loom.boundary wrap %m low[1] high[2] : memref<?xf32> to tensor<?xf32>
  return
}

// -----

// CHECK: loom.boundary constant %arg0 with %arg1 : f32 low [0, 1] high [2, 0] interior [1, 0] : tensor<3x?xf32> to tensor<7x?xf32>
func.func @interior(%x: tensor<3x?xf32>, %c: f32) -> tensor<7x?xf32> {
  %p = loom.boundary constant %x with %c : f32 low[0, 1] high[2, 0] interior [1, 0] : tensor<3x?xf32> to tensor<7x?xf32>
  return %p : tensor<7x?xf32>
}

// -----

func.func @interior_of_rank(%x: tensor<?x?xf32>, %c: f32) {
  // expected-error@+1 {{'loom.boundary' op has 1 numbers for `interior`, but the source has rank 2}}
  %p = loom.boundary constant %x with %c : f32 low[0, 0] high[0, 0] interior [1] : tensor<?x?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @negative_interior(%x: tensor<?xf32>, %c: f32) {
  // expected-error@+1 {{'loom.boundary' op has -1 elements between each two along axis 0, expected 0 to 9223372036854775806}}
  %p = loom.boundary constant %x with %c : f32 low[0] high[0] interior [-1] : tensor<?xf32> to tensor<?xf32>
  return
}

// -----

func.func @mirrored_interior(%x: tensor<?xf32>) {
  // expected-error@+1 {{'loom.boundary' op has elements between others, which only mode 'constant' has; make them by a boundary of its own}}
  %p = loom.boundary wrap %x low[0] high[0] interior [1] : tensor<?xf32> to tensor<?xf32>
  return
}

// -----

func.func @interior_overflow(%x: tensor<3xf32>, %c: f32) {
  // expected-error@+1 {{'loom.boundary' op has 4611686018427387904 elements between each two of the 3 along axis 0, whose number does not fit 63 bits}}
  %p = loom.boundary constant %x with %c : f32 low[0] high[0] interior [4611686018427387904] : tensor<3xf32> to tensor<?xf32>
  return
}
