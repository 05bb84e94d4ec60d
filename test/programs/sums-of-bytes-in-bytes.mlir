// RUN: broadloom run %s --input="1x1x4xi8=100 1 2 3" --input="4x2xi8=1 2 100 -1 3 3 4 4" | FileCheck %s

// Dot products of bytes have 32 bits; sums of eight wrap one by one.
// 100 + 100 + 6 + 12 is 218, which is -38; 200 - 1 + 6 + 12 is 217, which is -39.
// CHECK: {{\[\[\[}}-38 -39]]]
func.func @main(%x: tensor<1x1x4xi8>, %w: tensor<4x2xi8>) -> tensor<1x1x2xi8> {
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<1x1x4xi8>, tensor<4x2xi8>) -> tensor<1x1x2xi8> {
  ^bb0(%s: i8):
    loom.yield %s : i8
  }
  return %r : tensor<1x1x2xi8>
}
