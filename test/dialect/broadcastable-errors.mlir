// RUN: broadloom-opt %s --dynamic-to-static=allow -verify-diagnostics -split-input-file
// RUN: broadloom-opt %s --dynamic-to-static=forbid -verify-diagnostics -split-input-file

// The wrong uses of both trait documents, in their spelling; no policy accepts
// any of them. The fifth that they list is in broadcastable-strict.mlir: there
// the policies differ.

// verify-1
func.func @operands(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 0: extents 3 and 2 (operand shapes 3 and 2)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xi32>) -> tensor<?xi32>
  return
}

// -----

// verify-3
func.func @rank(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+1 {{'test.broadcastable' op result has rank 2 but the operands give rank 1 (operand shapes 3 and 3; result shape 1x3)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<1x3xi32>
  return
}

// -----

// verify-4: (n,m)
func.func @static_differs(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op result axis 0 has extent 4 but the operands give 2 (operand shapes 2 and 2; result shape 4)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return
}

// -----

// verify-4: (1,m), results do not broadcast
func.func @result_one(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) {
  // expected-error@+1 {{'test.broadcastable' op result axis 0 has extent 4 but the operands give 1 (operand shapes 1 and 1; result shape 4)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  return
}
