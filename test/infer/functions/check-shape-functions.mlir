// RUN: broadloom-opt %s --loom-check-shape-functions -split-input-file -verify-diagnostics=only-expected

// The driver of the seed's section on testing: operations are created from
// operands only, and what is inferred must be what is expected, here: what is
// declared. S-24

func.func @elementwise(%a: tensor<?x1x4xf32>, %b: tensor<1x3x4xf32>, %i: tensor<3x?xi8>, %c: tensor<1x3x4xi1>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %table = "tosa.const"() {values = dense<0> : tensor<256xi8>} : () -> tensor<256xi8>
  %0 = tosa.add %a, %b : (tensor<?x1x4xf32>, tensor<1x3x4xf32>) -> tensor<?x3x4xf32>
  %1 = tosa.greater %b, %b : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
  %2 = tosa.select %c, %0, %b : (tensor<1x3x4xi1>, tensor<?x3x4xf32>, tensor<1x3x4xf32>) -> tensor<?x3x4xf32>
  %3 = tosa.tanh %a : (tensor<?x1x4xf32>) -> tensor<?x1x4xf32>
  %4 = tosa.negate %b, %z, %z : (tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4xf32>
  // The element type is the program's.
  %5 = tosa.cast %i : (tensor<3x?xi8>) -> tensor<3x?xi32>
  %6 = tosa.table %i, %table : (tensor<3x?xi8>, tensor<256xi8>) -> tensor<3x?xi8>
  return
}

// -----

func.func @windows(%i: tensor<?x32x?x3xf32>, %w: tensor<8x3x5x3xf32>, %b: tensor<8xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 2, 1>, pad = array<i64: 1, 0, 2, 3>, stride = array<i64: 1, 2>} : (tensor<?x32x?x3xf32>, tensor<8x3x5x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x29x?x8xf32>
  %1 = tosa.max_pool2d %0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<?x29x?x8xf32>) -> tensor<?x14x?x8xf32>
  %2 = tosa.avg_pool2d %1, %z, %z {acc_type = f32, kernel = array<i64: 14, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x14x?x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x1x?x8xf32>
  return
}

// -----

func.func @products(%a: tensor<2x3x5xf32>, %b: tensor<?x5x7xf32>, %f: tensor<2x4x8xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x3x5xf32>, tensor<?x5x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x7xf32>
  %1:2 = tosa.rfft2d %f : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return
}

// -----

func.func @layout(%a: tensor<2x3x?xf32>, %b: tensor<4x3x?xf32>, %i: tensor<2x5xi32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<2x3x?xf32>, tensor<4x3x?xf32>) -> tensor<6x3x?xf32>
  %1 = tosa.reduce_sum %0 {axis = 2 : i32} : (tensor<6x3x?xf32>) -> tensor<6x3x1xf32>
  %2 = tosa.argmax %0 {axis = 2 : i32} : (tensor<6x3x?xf32>) -> tensor<6x3xi32>
  %3 = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : (tensor<2x3x?xf32>) -> tensor<?x2x3xf32>
  %p = tosa.const_shape {values = dense<[1, 2, 0, 4, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %4 = tosa.pad %a, %p, %z : (tensor<2x3x?xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<5x7x?xf32>
  %s = tosa.const_shape {values = dense<[-1, 9]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.reshape %1, %s : (tensor<6x3x1xf32>, !tosa.shape<2>) -> tensor<2x9xf32>
  %m = tosa.const_shape {values = dense<[2, 1, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %6 = tosa.tile %a, %m : (tensor<2x3x?xf32>, !tosa.shape<3>) -> tensor<4x3x?xf32>
  %7 = tosa.gather %a, %i : (tensor<2x3x?xf32>, tensor<2x5xi32>) -> tensor<2x5x?xf32>
  %8 = tosa.dim %a {axis = 1 : i32} : (tensor<2x3x?xf32>) -> !tosa.shape<1>
  %9 = tosa.concat_shape %8, %m : (!tosa.shape<1>, !tosa.shape<3>) -> !tosa.shape<4>
  return
}

// -----

func.func @control(%c: tensor<i1>, %a: tensor<?x3xf32>) {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<?x3xf32> {
    tosa.yield %a : tensor<?x3xf32>
  } else {
    tosa.yield %a : tensor<?x3xf32>
  }
  return
}

// -----

// What differs from the expected types is an error.
func.func @less_than_inferred(%a: tensor<?x1xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'tosa.concat' is declared tensor<?x4xf32> but from its operands it is tensor<6x4xf32>}}
  %0 = tosa.concat %b, %b {axis = 0 : i32} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

// What upstream's verifier lets through, in the words of the function.
func.func @refuted(%a: tensor<2x6xi8>, %table: tensor<100xi8>) {
  // expected-error @+1 {{'tosa.table': a table for i8 must have 256 entries, but has 100}}
  %0 = tosa.table %a, %table : (tensor<2x6xi8>, tensor<100xi8>) -> tensor<2x6xi8>
  return
}
