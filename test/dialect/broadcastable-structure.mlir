// RUN: broadloom-opt %s -verify-diagnostics -split-input-file

// verify-6: at least one operand, one result, all tensors or all vectors.

func.func @no_operands() {
  // expected-error@+1 {{'test.broadcastable' op there are no operands, but at least one is needed to broadcast}}
  %0 = "test.broadcastable"() : () -> tensor<2xi32>
  return
}

// -----

func.func @no_results(%a: tensor<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op there are 0 results, but a broadcasting operation has exactly one}}
  "test.broadcastable"(%a) : (tensor<2xi32>) -> ()
  return
}

// -----

func.func @two_results(%a: tensor<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op there are 2 results, but a broadcasting operation has exactly one}}
  %0:2 = "test.broadcastable"(%a) : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
}

// -----

func.func @scalar_operand(%a: tensor<2xi32>, %b: i32) {
  // expected-error@+1 {{'test.broadcastable' op operand 1 is neither a tensor nor a vector}}
  %0 = "test.broadcastable"(%a, %b) : (tensor<2xi32>, i32) -> tensor<2xi32>
  return
}

// -----

func.func @scalar_result(%a: tensor<i32>) {
  // expected-error@+1 {{'test.broadcastable' op the result is neither a tensor nor a vector}}
  %0 = "test.broadcastable"(%a) : (tensor<i32>) -> i32
  return
}

// -----

func.func @memrefs(%a: memref<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op operand 0 is neither a tensor nor a vector}}
  %0 = "test.broadcastable"(%a) : (memref<2xi32>) -> memref<2xi32>
  return
}

// -----

func.func @mixed_operands(%a: tensor<2xi32>, %b: vector<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op operand 0 and operand 1 are not both tensors or both vectors}}
  %0 = "test.broadcastable"(%a, %b) : (tensor<2xi32>, vector<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @mixed_result(%a: vector<2xi32>) {
  // expected-error@+1 {{'test.broadcastable' op operand 0 and the result are not both tensors or both vectors}}
  %0 = "test.broadcastable"(%a) : (vector<2xi32>) -> tensor<2xi32>
  return
}
