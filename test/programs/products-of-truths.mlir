// As a signed integer true is -1, and not 1 (el-7): what widens integers as signed
// ones refuses i1 where it stands (el-12). What only moves elements takes it.
// RUN: not broadloom run %s 2>&1 | FileCheck %s
// RUN: not broadloom run %s --strategy=rfc 2>&1 | FileCheck %s
// CHECK: error: the program has 8 operations that cannot be compiled
// CHECK: [[#@LINE+10]]:8: note: tosa.matmul: it takes numbers, and i1 is no number; convert it with 'tosa.cast', where true is 1
// CHECK: note: tosa.conv2d: it takes numbers
// CHECK: note: tosa.depthwise_conv2d: it takes numbers
// CHECK: note: tosa.transpose_conv2d: it takes numbers
// CHECK: note: tosa.resize: it takes numbers
// CHECK: note: tosa.rescale: it takes numbers
// CHECK: note: tosa.rescale: it takes numbers
// CHECK: note: tosa.conv3d: it takes numbers
func.func @main(%a: tensor<1x?x?xi1>) -> tensor<1x?x?xi32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %r = tosa.matmul %a, %a, %z, %z : (tensor<1x?x?xi1>, tensor<1x?x?xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<1x?x?xi32>
  return %r : tensor<1x?x?xi32>
}
func.func @conv2d(%a: tensor<1x?x?x2xi1>, %w: tensor<3x1x1x2xi1>, %b: tensor<3xi1>) -> tensor<1x?x?x3xi1> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %r = tosa.conv2d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x2xi1>, tensor<3x1x1x2xi1>, tensor<3xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<1x?x?x3xi1>
  return %r : tensor<1x?x?x3xi1>
}
func.func @depthwise(%a: tensor<1x?x?x2xi1>, %w: tensor<1x1x2x1xi1>, %b: tensor<2xi1>) -> tensor<1x?x?x2xi1> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %r = tosa.depthwise_conv2d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x2xi1>, tensor<1x1x2x1xi1>, tensor<2xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<1x?x?x2xi1>
  return %r : tensor<1x?x?x2xi1>
}
func.func @transposed(%a: tensor<1x?x?x2xi1>, %w: tensor<3x1x1x2xi1>, %b: tensor<3xi1>) -> tensor<1x?x?x3xi1> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x2xi1>, tensor<3x1x1x2xi1>, tensor<3xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<1x?x?x3xi1>
  return %r : tensor<1x?x?x3xi1>
}
func.func @means(%a: tensor<1x?x?x2xi1>) -> tensor<1x?x?x2xi32> {
  %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a, %s, %o, %o {mode = BILINEAR} : (tensor<1x?x?x2xi1>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xi32>
  return %r : tensor<1x?x?x2xi32>
}
func.func @from(%a: tensor<?xi1>) -> tensor<?xi8> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %y = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.rescale %a, %m, %s, %z, %y {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<?xi1>, tensor<1xi32>, tensor<1xi8>, tensor<1xi1>, tensor<1xi8>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}
func.func @to(%a: tensor<?xi8>) -> tensor<?xi1> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %y = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.rescale %a, %m, %s, %y, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<?xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi1>) -> tensor<?xi1>
  return %r : tensor<?xi1>
}
func.func @conv3d(%a: tensor<1x?x?x?x2xi1>, %w: tensor<3x1x1x1x2xi1>, %b: tensor<3xi1>) -> tensor<1x?x?x?x3xi1> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xi1>} : () -> tensor<1xi1>
  %r = tosa.conv3d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x?x?x?x2xi1>, tensor<3x1x1x1x2xi1>, tensor<3xi1>, tensor<1xi1>, tensor<1xi1>) -> tensor<1x?x?x?x3xi1>
  return %r : tensor<1x?x?x?x3xi1>
}
func.func @nearest(%a: tensor<1x?x?x2xi1>) -> tensor<1x?x?x2xi1> {
  %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a, %s, %o, %o {mode = NEAREST_NEIGHBOR} : (tensor<1x?x?x2xi1>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xi1>
  return %r : tensor<1x?x?x2xi1>
}
