// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --loom-erase-identities | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[A]]
func.func @static(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = builtin.unrealized_conversion_cast %a : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Chains of casts, of several values.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK-NEXT: return %[[A]], %[[N]]
func.func @dynamic(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %0:2 = builtin.unrealized_conversion_cast %a, %n : tensor<?xf32>, index to tensor<?xf32>, index
  %1 = builtin.unrealized_conversion_cast %0#0 : tensor<?xf32> to tensor<?xf32>
  return %1, %0#1 : tensor<?xf32>, index
}

// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %[[A:.*]]: tensor<f32>, %{{.*}}: tensor<f32>
// CHECK-NEXT: return %[[A]]
func.func @scalar(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = linalg.transpose ins(%a : tensor<f32>) outs(%b : tensor<f32>) permutation = []
  return %0 : tensor<f32>
}

// A cast to another type, and a transposition of axes, stay.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT: builtin.unrealized_conversion_cast
// CHECK-NEXT: linalg.transpose
func.func @others(%i: ui8, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (i8, tensor<?x?xf32>) {
  %0 = builtin.unrealized_conversion_cast %i : ui8 to i8
  %1 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x?xf32>) permutation = [1, 0]
  return %0, %1 : i8, tensor<?x?xf32>
}
