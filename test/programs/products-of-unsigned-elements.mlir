// Products and means widen integers as signed ones, so that those of unsigned
// elements are refused where they stand, and not computed of other numbers. What
// only moves elements takes them.
// RUN: not broadloom run %s 2>&1 | FileCheck %s
// RUN: not broadloom run %s --strategy=rfc 2>&1 | FileCheck %s
// CHECK: error: the program has 8 operations that cannot be compiled
// CHECK: [[#@LINE+10]]:8: note: tosa.matmul: it multiplies integers as signed ones; convert unsigned ones to a signless type with 'tosa.cast', or 'tosa.rescale' them, first
// CHECK: note: tosa.matmul: it multiplies
// CHECK: note: tosa.matmul: it multiplies
// CHECK: note: tosa.conv2d: it multiplies
// CHECK: note: tosa.depthwise_conv2d: it multiplies
// CHECK: note: tosa.transpose_conv2d: it multiplies
// CHECK: note: tosa.resize: it multiplies
// CHECK: note: tosa.table: it looks up signed integers; bring unsigned ones to i8 or i16 with 'tosa.rescale' first
func.func @main(%a: tensor<1x?x?xui8>) -> tensor<1x?x?xi32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui8>} : () -> tensor<1xui8>
  %r = tosa.matmul %a, %a, %z, %z : (tensor<1x?x?xui8>, tensor<1x?x?xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x?x?xi32>
  return %r : tensor<1x?x?xi32>
}
func.func @product16(%a: tensor<1x?x?xui16>) -> tensor<1x?x?xi32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui16>} : () -> tensor<1xui16>
  %r = tosa.matmul %a, %a, %z, %z : (tensor<1x?x?xui16>, tensor<1x?x?xui16>, tensor<1xui16>, tensor<1xui16>) -> tensor<1x?x?xi32>
  return %r : tensor<1x?x?xi32>
}
func.func @product32(%a: tensor<1x?x?xui32>) -> tensor<1x?x?xi32> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui32>} : () -> tensor<1xui32>
  %r = tosa.matmul %a, %a, %z, %z : (tensor<1x?x?xui32>, tensor<1x?x?xui32>, tensor<1xui32>, tensor<1xui32>) -> tensor<1x?x?xi32>
  return %r : tensor<1x?x?xi32>
}
func.func @conv2d(%a: tensor<1x?x?x2xui8>, %w: tensor<3x1x1x2xui8>, %b: tensor<3xui8>) -> tensor<1x?x?x3xui8> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui8>} : () -> tensor<1xui8>
  %r = tosa.conv2d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x2xui8>, tensor<3x1x1x2xui8>, tensor<3xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x?x?x3xui8>
  return %r : tensor<1x?x?x3xui8>
}
func.func @depthwise(%a: tensor<1x?x?x2xui8>, %w: tensor<1x1x2x1xui8>, %b: tensor<2xui8>) -> tensor<1x?x?x2xui8> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui8>} : () -> tensor<1xui8>
  %r = tosa.depthwise_conv2d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x?x?x2xui8>, tensor<1x1x2x1xui8>, tensor<2xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x?x?x2xui8>
  return %r : tensor<1x?x?x2xui8>
}
func.func @transposed(%a: tensor<1x?x?x2xui8>, %w: tensor<3x1x1x2xui8>, %b: tensor<3xui8>) -> tensor<1x?x?x3xui8> {
  %z = "tosa.const"() {values = dense<0> : tensor<1xui8>} : () -> tensor<1xui8>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x2xui8>, tensor<3x1x1x2xui8>, tensor<3xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<1x?x?x3xui8>
  return %r : tensor<1x?x?x3xui8>
}
func.func @means(%a: tensor<1x?x?x2xui8>) -> tensor<1x?x?x2xi32> {
  %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a, %s, %o, %o {mode = BILINEAR} : (tensor<1x?x?x2xui8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xi32>
  return %r : tensor<1x?x?x2xi32>
}
func.func @table(%a: tensor<?xui8>) -> tensor<?xui8> {
  %t = "tosa.const"() {values = dense<1> : tensor<256xui8>} : () -> tensor<256xui8>
  %r = tosa.table %a, %t : (tensor<?xui8>, tensor<256xui8>) -> tensor<?xui8>
  return %r : tensor<?xui8>
}
func.func @nearest(%a: tensor<1x?x?x2xui8>) -> tensor<1x?x?x2xui8> {
  %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a, %s, %o, %o {mode = NEAREST_NEIGHBOR} : (tensor<1x?x?x2xui8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xui8>
  return %r : tensor<1x?x?x2xui8>
}
