// RUN: not broadloom check %s 2>&1 | FileCheck %s

// bnd-2: a window that repeats elements needs one.
// CHECK: contraction-repeats.mlir:[[#@LINE+2]]:8: error: 'loom.contract': axis 1 has no elements, and padding of 1 and 1 by mode 'replicate' needs one
func.func @repeated(%x: tensor<1x0x5x8xf32>, %w: tensor<2x2xi8>) -> tensor<1x1x6x8xf32> {
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, kind = #loom.contraction_kind<max_pool>, paddingMode = #loom.padding_mode<replicate>} : (tensor<1x0x5x8xf32>, tensor<2x2xi8>) -> tensor<1x1x6x8xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<1x1x6x8xf32>
}
