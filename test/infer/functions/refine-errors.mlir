// RUN: not broadloom-opt %s --loom-refine-shapes -split-input-file 2>&1 | FileCheck %s

// What must fail is an error in the author's words, at the operation, with the
// place in the library. sf-3, S-18

func.func @refuted(%i: tensor<1x9x9x6xf32>, %w: tensor<8x3x3x8xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // CHECK: refine-errors.mlir:[[@LINE+2]]:{{[0-9]+}}: error: 'tosa.conv2d': filter has 8 input channels but the input has 6
  // CHECK: shapes/tosa.mlir:{{[0-9]+}}:{{[0-9]+}}: note: by its shape function
  %r = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x9x9x6xf32>, tensor<8x3x3x8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

func.func @contradicted(%a: tensor<4x3xf32>) -> tensor<?x2xf32> {
  %m = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // CHECK: refine-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'tosa.tile': axis 1 of result 0 is declared 2 but is 3
  %r = "tosa.tile"(%a, %m) : (tensor<4x3xf32>, !tosa.shape<2>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// -----

// A function that contradicts the declared type of a result: S-20, abi-3.
func.func @elements(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: refine-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'test.like': result 0 is declared with elements of type i8 but has f32
  %r = "test.like"(%a) : (tensor<4x3xf32>) -> tensor<4x3xi8>
  return %a : tensor<4x3xf32>
}

// -----

// Also where nobody wrote the function. sf-9
func.func @derived(%a: tensor<4x3xf32>, %b: tensor<?x5xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %a : tensor<4x3xf32> to tensor<?x?xf32>
  %1 = tensor.cast %b : tensor<?x5xf32> to tensor<?x?xf32>
  // CHECK: refine-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'arith.mulf': operand 1 has shape {{.+}}x5 but must have that of operand 0, 4x3
  %r = arith.mulf %0, %1 : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What a call gives cannot fit. sf-8
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.concat %x, %x {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @called(%a: tensor<4x5xf32>, %b: tensor<9x5xf32>) {
  %w = tensor.cast %a : tensor<4x5xf32> to tensor<?x?xf32>
  %r = call @twice(%w) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: refine-errors.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'tosa.concat': input 1 has 9 along axis 0 but input 0 has 8
  %c = tosa.concat %r, %b {axis = 1 : i32} : (tensor<?x?xf32>, tensor<9x5xf32>) -> tensor<?x?xf32>
  return
}
