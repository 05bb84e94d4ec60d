// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --loom-match-extents | FileCheck %s

// ext-2: `?` and a number may agree.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[A:.*]]: tensor<?x3xf32>, %[[B:.*]]: tensor<3x4xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[B]] : tensor<3x4xf32> to tensor<3x?xf32>
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[A]] : tensor<?x3xf32>) outs(%[[C]] : tensor<3x?xf32>)
// CHECK-NEXT: %[[R:.*]] = tensor.cast %[[T]] : tensor<3x?xf32> to tensor<3x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x3xf32>) outs(%b : tensor<3x4xf32>) permutation = [1, 0]
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @static
// CHECK-NEXT: linalg.transpose
// CHECK-NEXT: return
func.func @static(%a: tensor<4x3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = linalg.transpose ins(%a : tensor<4x3xf32>) outs(%b : tensor<3x4xf32>) permutation = [1, 0]
  return %0 : tensor<3x4xf32>
}

// Upstream compares no extents of this one.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
func.func @others(%a: tensor<?x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
