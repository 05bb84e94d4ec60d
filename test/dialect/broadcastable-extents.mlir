// RUN: broadloom-opt %s -verify-diagnostics -split-input-file

// Extents of 0, vectors, several operands, unranked operands beside ranked ones.

// ext-3: 0 is a static extent other than 1.
func.func @zero(%zero: tensor<0xf32>, %one: tensor<1xf32>, %any: tensor<?xf32>) {
  %0 = "test.broadcastable"(%one, %zero) : (tensor<1xf32>, tensor<0xf32>) -> tensor<0xf32>
  %1 = "test.broadcastable"(%zero, %zero) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %2 = "test.broadcastable"(%any, %zero) : (tensor<?xf32>, tensor<0xf32>) -> tensor<0xf32>
  %3 = "test.broadcastable"(%any, %one) : (tensor<?xf32>, tensor<1xf32>) -> tensor<0xf32>
  return
}

// -----

// ext-3: (0,n) for n > 1.
func.func @zero_meets_two(%zero: tensor<3x0xf32>, %two: tensor<2xf32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 1: extents 0 and 2 (operand shapes 3x0 and 2)}}
  %0 = "test.broadcastable"(%zero, %two) : (tensor<3x0xf32>, tensor<2xf32>) -> tensor<3x0xf32>
  return
}

// -----

// ext-3, verify-4: 0 is not 1 in a result either.
func.func @zero_result(%zero: tensor<0xf32>, %one: tensor<1xf32>) {
  // expected-error@+1 {{'test.broadcastable' op result axis 0 has extent 1 but the operands give 0 (operand shapes 1 and 0; result shape 1)}}
  %0 = "test.broadcastable"(%one, %zero) : (tensor<1xf32>, tensor<0xf32>) -> tensor<1xf32>
  return
}

// -----

// ext-4: [n] equals [n] and broadcasts against a fixed 1; rank 0 too.
func.func @scalable(%s: vector<[4]xf32>, %one: vector<1xf32>, %fixed: vector<8xf32>,
                    %rank0: vector<f32>, %mixed: vector<2x[4]xf32>) {
  %0 = "test.broadcastable"(%s, %s) : (vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  %1 = "test.broadcastable"(%one, %s) : (vector<1xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  %2 = "test.broadcastable"(%fixed, %rank0) : (vector<8xf32>, vector<f32>) -> vector<8xf32>
  %3 = "test.broadcastable"(%mixed, %s) : (vector<2x[4]xf32>, vector<[4]xf32>) -> vector<2x[4]xi1>
  return
}

// -----

// ext-4
func.func @scalable_meets_fixed(%s: vector<[4]xf32>, %f: vector<4xf32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 0: extents [4] and 4 (operand shapes [4] and 4)}}
  %0 = "test.broadcastable"(%s, %f) : (vector<[4]xf32>, vector<4xf32>) -> vector<[4]xf32>
  return
}

// -----

// ext-4
func.func @scalable_meets_other(%a: vector<[4]xf32>, %b: vector<[2]xf32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 0: extents [4] and [2] (operand shapes [4] and [2])}}
  %0 = "test.broadcastable"(%a, %b) : (vector<[4]xf32>, vector<[2]xf32>) -> vector<[4]xf32>
  return
}

// -----

// ext-4: [1] may be any multiple of 1, so that it is not the fixed 1.
func.func @scalable_one(%a: vector<[1]xf32>, %b: vector<4xf32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 0: extents [1] and 4 (operand shapes [1] and 4)}}
  %0 = "test.broadcastable"(%a, %b) : (vector<[1]xf32>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

// ext-4, verify-4
func.func @scalable_result(%a: vector<[4]xf32>) {
  // expected-error@+1 {{'test.broadcastable' op result axis 0 has extent 4 but the operands give [4] (operand shape [4]; result shape 4)}}
  %0 = "test.broadcastable"(%a) : (vector<[4]xf32>) -> vector<4xf32>
  return
}

// -----

// bcast-4: many operands; those of unknown rank are set aside.
func.func @many(%a: tensor<5x1x?xf32>, %u: tensor<*xf32>, %b: tensor<4x1xf32>, %c: tensor<f32>) {
  %0 = "test.broadcastable"(%a, %u, %b, %c) : (tensor<5x1x?xf32>, tensor<*xf32>, tensor<4x1xf32>, tensor<f32>) -> tensor<5x4x?xf32>
  %1 = "test.broadcastable"(%c, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

// bcast-4, bcast-5, verify-1: the two operands are named by number; that one
// of them meets `?` first changes nothing.
func.func @third(%a: tensor<2xf32>, %b: tensor<?xf32>, %u: tensor<*xf32>, %c: tensor<3xf32>) {
  // expected-error@+1 {{'test.broadcastable' op operands are not broadcast-compatible along axis 0: extents 2 and 3 (operand shapes 2 and 3 of operands 1 and 3)}}
  %0 = "test.broadcastable"(%b, %a, %u, %c) : (tensor<?xf32>, tensor<2xf32>, tensor<*xf32>, tensor<3xf32>) -> tensor<?xf32>
  return
}

// -----

// verify-3: the trait compares with the operands whose rank is known.
func.func @unranked_beside_ranked(%a: tensor<2xf32>, %u: tensor<*xf32>) {
  // expected-error@+1 {{'test.broadcastable' op result has rank 2 but the operands give rank 1}}
  %0 = "test.broadcastable"(%a, %u) : (tensor<2xf32>, tensor<*xf32>) -> tensor<3x2xf32>
  return
}

// -----

// verify-3: rank 0 is a rank.
func.func @rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{'test.broadcastable' op result has rank 1 but the operands give rank 0}}
  %0 = "test.broadcastable"(%a) : (tensor<f32>) -> tensor<1xf32>
  return
}
