// RUN: broadloom-opt %s --loom-read-transposed | FileCheck %s
// RUN: broadloom-opt %s --loom-read-transposed --loom-bufferize | FileCheck %s --check-prefix=BUFFER

// A product reads the operand of a transposition, and so does a read of
// extents; an argument is read with the strides that it has.
// CHECK-LABEL: func.func @product
// CHECK: %[[T:.*]] = loom.transposed %arg1 order [0, 2, 1] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
// CHECK: tensor.dim %[[T]]
// CHECK: loom.contract(%arg0, %[[T]])
// CHECK-NOT: linalg.transpose
// BUFFER-LABEL: func.func @product
// BUFFER-NOT: loom.contiguous
// BUFFER: %[[T:.*]] = memref.transpose %arg1 (d0, d1, d2) -> (d0, d2, d1)
// BUFFER: loom.launch(%arg0, %[[T]])
func.func @product(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %i: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, index) {
  %t = linalg.transpose ins(%b : tensor<?x?x?xf32>) outs(%i : tensor<?x?x?xf32>) permutation = [0, 2, 1]
  %c2 = arith.constant 2 : index
  %n = tensor.dim %t, %c2 : tensor<?x?x?xf32>
  %r = loom.contract(%a, %t) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r, %n : tensor<?x?x?xf32>, index
}

// What others read too is written, and lines of a window are read in row-major
// order.
// CHECK-LABEL: func.func @others
// CHECK: %[[W:.*]] = linalg.transpose
// CHECK: loom.contract(%[[W]], %arg1) window {dilations = array<i64: 1>
// BUFFER-LABEL: func.func @others
// BUFFER: loom.contiguous %arg1
func.func @others(%a: tensor<?x8x?xf32>, %w: tensor<3x8x4xf32>, %i: tensor<?x?x8xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x8xf32>) {
  %t = linalg.transpose ins(%a : tensor<?x8x?xf32>) outs(%i : tensor<?x?x8xf32>) permutation = [0, 2, 1]
  %r = loom.contract(%t, %w) window {dilations = array<i64: 1>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<?x?x8xf32>, tensor<3x8x4xf32>) -> tensor<?x?x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r, %t : tensor<?x?x4xf32>, tensor<?x?x8xf32>
}
