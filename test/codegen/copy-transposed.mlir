// RUN: broadloom-opt %s --loom-copy-transposed | FileCheck %s

// A transposition is a copy of the same elements in another order.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[T:.*]] = memref.transpose %arg0 (d0, d1, d2) -> (d2, d0, d1) : memref<?x4x?xf32> to memref<?x?x4xf32, strided<[1, ?, ?]>>
// CHECK: memref.copy %[[T]], %arg1 : memref<?x?x4xf32, strided<[1, ?, ?]>> to memref<?x?x4xf32>
// CHECK-NOT: linalg.transpose
func.func @transposed(%a: memref<?x4x?xf32>, %r: memref<?x?x4xf32>) {
  linalg.transpose ins(%a : memref<?x4x?xf32>) outs(%r : memref<?x?x4xf32>) permutation = [2, 0, 1]
  return
}

// CHECK-LABEL: func.func @few
// CHECK: linalg.transpose
func.func @few(%a: memref<8x8xf32>, %r: memref<8x8xf32>) {
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return
}

// Tensors have no place in memory yet.
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.transpose
func.func @tensors(%a: tensor<?x4xf32>, %r: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %t = linalg.transpose ins(%a : tensor<?x4xf32>) outs(%r : tensor<4x?xf32>) permutation = [1, 0]
  return %t : tensor<4x?xf32>
}
