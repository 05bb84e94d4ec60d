// RUN: broadloom-opt %s -verify-diagnostics -split-input-file
// RUN: broadloom-opt %s -verify-diagnostics -split-input-file --dynamic-to-static=allow

// verify-4: the trait BroadcastableStrict refuses (?,n) under any policy of the
// dialect, and only that.

func.func @static_result(%a: tensor<?xi32>) {
  // expected-error@+1 {{'test.broadcastable_strict' op result axis 0 has the static extent 4 but the operands give ?}}
  %0 = "test.broadcastable_strict"(%a, %a) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @right(%a: tensor<?xi32>, %b: tensor<4xi32>, %u: tensor<*xi32>) {
  %0 = "test.broadcastable_strict"(%a, %b) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "test.broadcastable_strict"(%a, %b) : (tensor<?xi32>, tensor<4xi32>) -> tensor<?xi32>
  %2 = "test.broadcastable_strict"(%a, %a) : (tensor<?xi32>, tensor<?xi32>) -> tensor<*xi32>
  %3 = "test.broadcastable_strict"(%u, %u) : (tensor<*xi32>, tensor<*xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @operands(%a: tensor<2x3xi32>, %b: tensor<2x1x4xi32>) {
  // expected-error@+1 {{'test.broadcastable_strict' op operands are not broadcast-compatible along axis 2: extents 3 and 4 (operand shapes 2x3 and 2x1x4)}}
  %0 = "test.broadcastable_strict"(%a, %b) : (tensor<2x3xi32>, tensor<2x1x4xi32>) -> tensor<2x2x4xi32>
  return
}
