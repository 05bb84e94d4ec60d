// RUN: broadloom-opt %s -verify-diagnostics -split-input-file

// verify-5: all ranked operands and results have one rank.

func.func @right(%a: tensor<2x?xi32>, %b: tensor<7x9xi32>, %u: tensor<*xi32>, %i: i32) {
  // Extents are not this trait's business, and what has no shape has no rank.
  %0 = "test.all_ranks_match"(%a, %u, %b, %i) : (tensor<2x?xi32>, tensor<*xi32>, tensor<7x9xi32>, i32) -> tensor<1x1xf32>
  %1:3 = "test.all_ranks_match"(%u, %a) : (tensor<*xi32>, tensor<2x?xi32>) -> (tensor<*xi32>, memref<3x3xi8>, f32)
  "test.all_ranks_match"() : () -> ()
  return
}

// -----

func.func @operands(%a: tensor<2xi32>, %u: tensor<*xi32>, %i: i32, %b: tensor<2x3xi32>) {
  // expected-error@+1 {{'test.all_ranks_match' op all ranks must be equal, but operand 2 has rank 1 and operand 3 has rank 2}}
  "test.all_ranks_match"(%u, %i, %a, %b) : (tensor<*xi32>, i32, tensor<2xi32>, tensor<2x3xi32>) -> ()
  return
}

// -----

// Broadcasting alone would accept these.
func.func @result(%a: tensor<2xi32>, %u: tensor<*xi32>) {
  // expected-error@+1 {{'test.all_ranks_match' op all ranks must be equal, but operand 1 has rank 1 and the result has rank 0}}
  %0 = "test.all_ranks_match"(%u, %a) : (tensor<*xi32>, tensor<2xi32>) -> tensor<i32>
  return
}

// -----

func.func @results(%u: tensor<*xi32>) {
  // expected-error@+1 {{'test.all_ranks_match' op all ranks must be equal, but result 0 has rank 1 and result 2 has rank 2}}
  %0:3 = "test.all_ranks_match"(%u) : (tensor<*xi32>) -> (vector<4xi32>, tensor<*xi32>, vector<2x[4]xi32>)
  return
}
