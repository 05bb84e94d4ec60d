// RUN: not broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --split-input-file 2>&1 | FileCheck %s

// What upstream's verifier refuses, the shape function says in its own words.

// CHECK: error: 'tosa.argmax': axis 0 of result 0 is declared 7 but is 4
// CHECK: note: by its shape function
func.func @declared(%a: tensor<4x5xf32>) {
  %0 = tosa.argmax %a {axis = 1 : i32} : (tensor<4x5xf32>) -> tensor<7xi32>
  return
}

// -----

// CHECK: error: 'tosa.argmax': axis is 3 but the input has 2 axes
func.func @axis(%a: tensor<4x5xf32>) {
  %0 = tosa.argmax %a {axis = 3 : i32} : (tensor<4x5xf32>) -> tensor<4xi32>
  return
}

// -----

// CHECK: error: 'tosa.max_pool2d': the kernel must be at least 1 along axis 1, but is 0
func.func @kernel(%a: tensor<1x4x4x1xf32>) {
  %0 = tosa.max_pool2d %a {kernel = array<i64: 0, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  return
}
