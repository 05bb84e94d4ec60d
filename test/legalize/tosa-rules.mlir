// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --split-input-file --verify-diagnostics

// What TOSA requires is checked with this project's messages and the numbers.

func.func @rank(%a: tensor<2x3xi8>, %b: tensor<1x3x2xi8>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.matmul' op has operand 0 of type 'tensor<2x3xi8>', which has 2 axes; it must have 3}}
  %0 = "tosa.matmul"(%a, %b, %z, %z) : (tensor<2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  return
}

// -----

func.func @scalar(%a: tensor<f32>) {
  // expected-error @+1 {{'tosa.reduce_max' op has operand 0 of type 'tensor<f32>', which has 0 axes; it must have at least 1}}
  %0 = "tosa.reduce_max"(%a) <{axis = 0 : i32}> : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @results(%a: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'tosa.rfft2d' op has 1 result, but must have 2; see its definition in the specification of TOSA}}
  %0 = "tosa.rfft2d"(%a) : (tensor<1x4x4xf32>) -> tensor<1x4x3xf32>
  return
}

// -----

func.func @zero_point(%a: tensor<1x2x3xi16>, %b: tensor<1x3x2xi16>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %y = "tosa.const"() <{values = dense<5> : tensor<1xi16>}> : () -> tensor<1xi16>
  // expected-error @+1 {{'tosa.matmul' op has the second zero point 5, but elements of 'i16'; it must be 0}}
  %0 = tosa.matmul %a, %b, %z, %y : (tensor<1x2x3xi16>, tensor<1x3x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x2x2xi48>
  return
}

// -----

func.func @float_zero_point(%a: tensor<1x4x4x1xf32>) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.avg_pool2d' op has the input zero point of 'f32' that is not 0, but elements of 'f32'; it must be 0}}
  %0 = tosa.avg_pool2d %a, %y, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  return
}

// -----

func.func @weight_zero_point(%a: tensor<1x4x4x1xi16>, %w: tensor<2x1x1x1xi8>, %b: tensor<2xi48>) {
  %z = "tosa.const"() <{values = dense<-3> : tensor<1xi16>}> : () -> tensor<1xi16>
  %y = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.conv2d' op has the input zero point -3, but elements of 'i16'; it must be 0}}
  %0 = tosa.conv2d %a, %w, %b, %z, %y {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xi16>, tensor<2x1x1x1xi8>, tensor<2xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<1x4x4x2xi48>
  return
}

// -----

func.func @unsigned_zero_point(%a: tensor<3xi16>, %m: tensor<1xi32>, %s: tensor<1xi8>) {
  %z = "tosa.const"() <{values = dense<7> : tensor<1xi16>}> : () -> tensor<1xi16>
  %y = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.rescale' op has the input zero point 7, but elements of unsigned 'i16'; it must be 0 or 32768}}
  %0 = tosa.rescale %a, %m, %s, %z, %y {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<3xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @rescale_flags(%a: tensor<3xi32>, %m: tensor<1xi32>, %s: tensor<1xi8>, %z: tensor<1xi32>, %y: tensor<1xi8>) {
  // expected-error @+1 {{'tosa.rescale' op from 'i32' to 'i8': 'output_unsigned' is set; an unsigned result is rescaled from 8 or 16 bits}}
  %0 = tosa.rescale %a, %m, %s, %z, %y {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @rescale_double(%a: tensor<3xi8>, %m: tensor<1xi16>, %s: tensor<1xi8>, %z: tensor<1xi8>) {
  // expected-error @+1 {{'tosa.rescale' op from 'i8' to 'i8': 'rounding_mode' is DOUBLE_ROUND, which needs 'scale32'}}
  %0 = tosa.rescale %a, %m, %s, %z, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = false} : (tensor<3xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @resize_numbers(%a: tensor<1x2x2x1xf32>) {
  %s = tosa.const_shape {values = dense<[4096, 2, 2, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op has the numerator 4096 along axis 1; it must be from 1 to 2048}}
  %0 = tosa.resize %a, %s, %o, %o {mode = BILINEAR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x1xf32>
  return
}

// -----

func.func @resize_extents(%a: tensor<1x16384x2x1xf32>) {
  %s = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op has an image of type 'tensor<1x16384x2x1xf32>'; heights and widths must be less than 16384}}
  %0 = tosa.resize %a, %s, %o, %o {mode = BILINEAR} : (tensor<1x16384x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x1xf32>
  return
}

// -----

func.func @loop(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.while_loop' op has inputs of which number 0 is of type 'tensor<4xi32>', but results of its body of which it is of type 'tensor<5xi32>'; they must agree}}
  %0 = tosa.while_loop (%x = %a) : (tensor<4xi32>) -> tensor<4xi32> {
    %c = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%x: tensor<4xi32>):
    %n = "tosa.const"() <{values = dense<0> : tensor<5xi32>}> : () -> tensor<5xi32>
    tosa.yield %n : tensor<5xi32>
  }
  return %0 : tensor<4xi32>
}

// -----

func.func @branch(%c: tensor<i1>, %a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.cond_if' op has 1 results, but 2 results of its second branch; there must be as many}}
  %0 = "tosa.cond_if"(%c, %a) ({
  ^bb0(%x: tensor<4xi32>):
    tosa.yield %x : tensor<4xi32>
  }, {
  ^bb0(%x: tensor<4xi32>):
    tosa.yield %x, %x : tensor<4xi32>, tensor<4xi32>
  }) : (tensor<i1>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @condition(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.while_loop' op computes its condition as 'tensor<i32>'; the condition must be one i1}}
  %0 = tosa.while_loop (%x = %a) : (tensor<4xi32>) -> tensor<4xi32> {
    %c = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    tosa.yield %c : tensor<i32>
  } do {
  ^bb0(%x: tensor<4xi32>):
    tosa.yield %x : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}

// -----

func.func @condition(%c: tensor<f16>, %x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'tosa.cond_if' op chooses by 'tensor<f16>'; the condition must be one i1}}
  %0 = "tosa.cond_if"(%c, %x) ({
  ^bb0(%a: tensor<?xf32>):
    tosa.yield %a : tensor<?xf32>
  }, {
  ^bb0(%a: tensor<?xf32>):
    tosa.yield %a : tensor<?xf32>
  }) : (tensor<f16>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
