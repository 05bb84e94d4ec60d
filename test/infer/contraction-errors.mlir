// RUN: not broadloom check %s 2>&1 | FileCheck %s

// What the types refute is an error when the program is compiled.
// CHECK: contraction-errors.mlir:[[#@LINE+2]]:8: {{.*}}'loom.contract': the image has 3 channels but the weight is for 2
func.func @main(%x: tensor<2x3xf32>, %w: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<2x4xf32>
}
