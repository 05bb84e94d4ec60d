// RUN: broadloom-opt %s --dynamic-to-static=allow | FileCheck %s
// RUN: broadloom-opt %s --dynamic-to-static=forbid | FileCheck %s

// The right uses of both trait documents, which list the same eight, in their
// spelling: no policy refuses any of them.

// verify-4: all extents static and equal.
// CHECK-LABEL: @static_match
func.func @static_match(%arg0: tensor<1x2xi32>, %arg1: tensor<1x2xi32>) {
  // CHECK: "test.broadcastable"(%{{.*}}, %{{.*}}) : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
  return
}

// bcast-2: (?,?) -> ?.
// CHECK-LABEL: @dynamic_match
func.func @dynamic_match(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>) {
  // CHECK: (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return
}

// bcast-2: (1,n) -> n.
// CHECK-LABEL: @one_broadcasts
func.func @one_broadcasts(%arg0: tensor<1xi32>, %arg1: tensor<4xi32>) {
  // CHECK: (tensor<1xi32>, tensor<4xi32>) -> tensor<4xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<1xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// verify-4: (n,?), the result says less than is known.
// CHECK-LABEL: @static_to_dynamic
func.func @static_to_dynamic(%arg0: tensor<4xi32>) {
  // CHECK: (tensor<4xi32>) -> tensor<?xi32>
  %result = "test.broadcastable"(%arg0) : (tensor<4xi32>) -> tensor<?xi32>
  return
}

// bcast-1: the shorter shape grows on its left.
// CHECK-LABEL: @rank_expansion
func.func @rank_expansion(%arg0: tensor<4xi32>, %arg1: tensor<2x3x4xi32>) {
  // CHECK: (tensor<4xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<4xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return
}

// verify-6: element types are free.
// CHECK-LABEL: @element_types
func.func @element_types(%arg0: tensor<2xi1>, %arg1: tensor<2xi32>) {
  // CHECK: (tensor<2xi1>, tensor<2xi32>) -> tensor<2xi64>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<2xi1>, tensor<2xi32>) -> tensor<2xi64>
  return
}

// verify-2: nothing to compare with an unranked result.
// CHECK-LABEL: @unranked_result
func.func @unranked_result(%arg0: tensor<2xi32>) {
  // CHECK: (tensor<2xi32>) -> tensor<*xi32>
  %result = "test.broadcastable"(%arg0) : (tensor<2xi32>) -> tensor<*xi32>
  return
}

// verify-2: nothing to compare where all operands are unranked.
// CHECK-LABEL: @unranked_operands
func.func @unranked_operands(%arg0: tensor<*xi32>, %arg1: tensor<*xi32>) {
  // CHECK: (tensor<*xi32>, tensor<*xi32>) -> tensor<2xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<*xi32>, tensor<*xi32>) -> tensor<2xi32>
  return
}
