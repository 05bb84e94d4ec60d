// RUN: broadloom-opt %s --dynamic-to-static=forbid -verify-diagnostics -split-input-file
// RUN: broadloom-opt %s -split-input-file | FileCheck %s --check-prefix=ALLOW
// RUN: broadloom-opt %s -split-input-file --dynamic-to-static=allow | FileCheck %s --check-prefix=ALLOW
// RUN: not broadloom-opt %s -split-input-file --dynamic-to-static=maybe 2>&1 | FileCheck %s --check-prefix=OPTION

// Where the two documents differ, verify-4: (?,n). Both list the first example
// among the wrong uses; the newer one's table allows it, and the table wins.

// OPTION: Cannot find option named 'maybe'

// ALLOW-LABEL: @static_result
func.func @static_result(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>) {
  // ALLOW: "test.broadcastable"(%{{.*}}, %{{.*}}) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>
  // expected-error@+1 {{'test.broadcastable' op result axis 0 has the static extent 4 but the operands give ? (operand shapes ? and ?; result shape 4)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>
  return
}

// -----

// (?,1) -> ? (bcast-2), of which 1 would be a guess.
// ALLOW-LABEL: @static_one
func.func @static_one(%arg0: tensor<5x?xi32>, %arg1: tensor<1xi32>) {
  // ALLOW: -> tensor<5x1xi32>
  // expected-error@+1 {{'test.broadcastable' op result axis 1 has the static extent 1 but the operands give ? (operand shapes 5x? and 1; result shape 5x1)}}
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<5x?xi32>, tensor<1xi32>) -> tensor<5x1xi32>
  return
}

// -----

// (?,n) -> n (bcast-2): the static extent is inferred, not assumed.
// ALLOW-LABEL: @static_inferred
func.func @static_inferred(%arg0: tensor<?xi32>, %arg1: tensor<4xi32>) {
  // ALLOW: -> tensor<4xi32>
  %result = "test.broadcastable"(%arg0, %arg1) : (tensor<?xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}
