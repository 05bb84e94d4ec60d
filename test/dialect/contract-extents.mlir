// RUN: broadloom-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s

// The extents of sums: how many positions a window has, by the image and the weight.
// CHECK-LABEL: func.func @window
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x3xf32>, %[[W:.*]]: tensor<?x3x4xf32>
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
// CHECK:       %[[N:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK:       %[[K:.*]] = tensor.dim %[[W]], %[[C0]]
// CHECK:       %[[PADDED:.*]] = arith.addi %[[N]], %[[C1]]
// CHECK:       %[[GAPS:.*]] = arith.subi %[[K]], %[[C1]]
// CHECK:       %[[REACH:.*]] = arith.muli %[[GAPS]], %[[C3]]
// CHECK:       %[[COVERED:.*]] = arith.addi %[[REACH]], %[[C1]]
// CHECK:       %[[LEFT:.*]] = arith.subi %[[PADDED]], %[[COVERED]]
// CHECK:       %[[STEPS:.*]] = arith.divsi %[[LEFT]], %[[C2]]
// CHECK:       %[[PLACES:.*]] = arith.addi %[[STEPS]], %[[C1]]
// CHECK:       return %[[PLACES]]
func.func @window(%x: tensor<?x?x3xf32>, %w: tensor<?x3x4xf32>) -> index {
  %r = loom.contract(%x, %w) window {strides = array<i64: 2>, dilations = array<i64: 3>, pads = array<i64: 0, 1>} : (tensor<?x?x3xf32>, tensor<?x3x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %one = arith.constant 1 : index
  %n = tensor.dim %r, %one : tensor<?x?x4xf32>
  return %n : index
}

// Of a maximum, the channels are the image's.
// CHECK-LABEL: func.func @channels
// CHECK-SAME:    %[[X:.*]]: tensor<?x8x?xf32>
// CHECK:       %[[C2:.*]] = arith.constant 2 : index
// CHECK:       %[[C:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK:       return %[[C]]
func.func @channels(%x: tensor<?x8x?xf32>, %w: tensor<?xi8>) -> index {
  %r = loom.contract(%x, %w) window {strides = array<i64: 2>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, kind = #loom.contraction_kind<max_pool>} : (tensor<?x8x?xf32>, tensor<?xi8>) -> tensor<?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %two = arith.constant 2 : index
  %c = tensor.dim %r, %two : tensor<?x?x?xf32>
  return %c : index
}
