// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @solve
// CHECK: %{{.*}}:2 = loom.linear_algebra "solve" %arg0, %arg1 into %arg2, %arg3 {unchecked} : (tensor<?x3x3xf32>, tensor<?x3x2xf32>, tensor<?x3x2xf32>, tensor<?xi32>) -> (tensor<?x3x2xf32>, tensor<?xi32>)
func.func @solve(%a: tensor<?x3x3xf32>, %b: tensor<?x3x2xf32>, %x: tensor<?x3x2xf32>, %i: tensor<?xi32>) -> (tensor<?x3x2xf32>, tensor<?xi32>) {
  %r:2 = loom.linear_algebra "solve" %a, %b into %x, %i {unchecked} : (tensor<?x3x3xf32>, tensor<?x3x2xf32>, tensor<?x3x2xf32>, tensor<?xi32>) -> (tensor<?x3x2xf32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?x3x2xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @triangle
// CHECK: loom.linear_algebra "triangular_solve" %arg0, %arg1 into %arg2 {unit, upper} : (tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
func.func @triangle(%a: tensor<3x3xf64>, %b: tensor<3x2xf64>, %x: tensor<3x2xf64>) -> tensor<3x2xf64> {
  %r = loom.linear_algebra "triangular_solve" %a, %b into %x {unit, upper} : (tensor<3x3xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return %r : tensor<3x2xf64>
}

// -----

func.func @kind(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op has no kind 'lq'}}
  %r = loom.linear_algebra "lq" %a into %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @operands(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op reads 1 operands and writes 1, but 'qr' reads 1 and writes 2}}
  %r = loom.linear_algebra "qr" %a into %a : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>, %x: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op operand 0 is of type 'tensor<*xf32>'; it has a rank of at least 2}}
  %r = loom.linear_algebra "exponential" %a into %x : (tensor<*xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @batch(%a: tensor<4x3x3xf32>, %x: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op operand 1 has 0 axes of a batch, but operand 0 has 1}}
  %r = loom.linear_algebra "exponential" %a into %x : (tensor<4x3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @elements(%a: tensor<3x3xf16>) {
  // expected-error@+1 {{'loom.linear_algebra' op does not take elements of type 'f16'; they are f32 or f64}}
  %r = loom.linear_algebra "exponential" %a into %a : (tensor<3x3xf16>, tensor<3x3xf16>) -> tensor<3x3xf16>
  return
}

// -----

func.func @types(%a: tensor<3x3xf32>, %x: tensor<3x3xf64>) {
  // expected-error@+1 {{'loom.linear_algebra' op operand 1 has elements of type 'f64', but those ahead have 'f32'}}
  %r = loom.linear_algebra "exponential" %a into %x : (tensor<3x3xf32>, tensor<3x3xf64>) -> tensor<3x3xf64>
  return
}

// -----

func.func @indices(%a: tensor<3x3xf32>, %i: tensor<i64>) {
  // expected-error@+1 {{'loom.linear_algebra' op operand 2 has elements of type 'i64'; they are i32}}
  %r:2 = loom.linear_algebra "cholesky" %a into %a, %i : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<i64>) -> (tensor<3x3xf32>, tensor<i64>)
  return
}

// -----

func.func @flags(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op is 'upper' or 'unit', which only 'triangular_solve' is}}
  %r = loom.linear_algebra "exponential" %a into %a {upper} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @unchecked(%a: tensor<3x3xf32>) {
  // expected-error@+1 {{'loom.linear_algebra' op is 'unchecked', but 'exponential' has no info to tell a failure by}}
  %r = loom.linear_algebra "exponential" %a into %a {unchecked} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}
