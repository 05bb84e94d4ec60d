// RUN: split-file %s %t
// RUN: broadloom run %t/open.mlir --input=2x1x1x1xf32=1 --input=3x1x1x1xf32=1 --input=1xf32=0 --shapes | FileCheck %s
// RUN: broadloom run %t/result.mlir --input=2x1x1x1xf32=1 --input=3x1x1x1xf32=1 --input=1xf32=0 --shapes | FileCheck %s
// RUN: broadloom run %t/conv2d.mlir --input=2x1x1x1xf32=1 --input=3x1x1x1xf32=1 --input=1xf32=0 --shapes | FileCheck %s
// RUN: broadloom run %t/shared.mlir --function=open --input=2x1x1x1xf32=2 --input=3x1x1x1xf32=5 | FileCheck %s --check-prefix=SHARED
// RUN: broadloom run %t/shared.mlir --function=three --input=2x1x1x1xf32=2 --input=3x1x1x1xf32=5 --shapes | FileCheck %s
// RUN: not broadloom run %t/shared.mlir --function=three --input=2x1x1x1xf32=2 --input=2x1x1x1xf32=5 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: broadloom run %t/shared.mlir --function=deep --input=2x1x1x1x1xf32=2 --input=3x1x1x1x1xf32=5 --shapes | FileCheck %s --check-prefix=DEEP
// RUN: broadloom run %t/shared.mlir --function=depthwise --input=2x1x1x1xf32=2 --input=1x1x1x3xf32=5 --shapes | FileCheck %s
// RUN: broadloom run %t/shared.mlir --function=transposed --input=2x1x1x1xf32=2 --input=3x1x1x1xf32=5 --shapes | FileCheck %s
// RUN: broadloom run %t/shared.mlir --function=transposed --input=2x1x1x1xf32=2 --input=0x1x1x1xf32= --shapes | FileCheck %s --check-prefix=NOTHING
// RUN: not broadloom run %t/result.mlir --input=2x1x1x1xf32=1 --input=2x1x1x1xf32=1 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=WRONG

// Neither the batch nor the extent of a bias that is one for all is the number
// of channels: upstream's inference takes them for it where the filter's is open.
// The bias may be the zero point as well, which must have one element.

// CHECK: 2x1x1x3
// SHARED: {{^}}[{{\[\[\[}}10. 10. 10.{{\]\]\]}}
// SHARED: [{{\[\[}}10. 10. 10.
// THREE: shared.mlir:8:8: 'tosa.conv2d': axis 3 of result 0 is declared 3 but is 2
// DEEP: 2x1x1x1x3
// NOTHING: 2x1x1x0
// WRONG: result.mlir:3:8: 'tosa.transpose_conv2d': axis 3 of result 0 is declared 3 but is 2

//--- open.mlir
func.func @main(%a: tensor<2x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<1xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
//--- result.mlir
func.func @main(%a: tensor<2x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<1xf32>) -> tensor<2x?x?x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x?x3xf32>
  return %r : tensor<2x?x?x3xf32>
}
//--- conv2d.mlir
func.func @main(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<1xf32>) -> tensor<?x?x?x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x3xf32>
  return %r : tensor<?x?x?x3xf32>
}
//--- shared.mlir
func.func @open(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %a, %w, %z, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
func.func @three(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>) -> tensor<?x?x?x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %a, %w, %z, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x3xf32>
  return %r : tensor<?x?x?x3xf32>
}
func.func @deep(%a: tensor<?x?x?x?x?xf32>, %w: tensor<?x?x?x?x?xf32>) -> tensor<?x?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv3d %a, %w, %z, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<?x?x?x?x?xf32>, tensor<?x?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?x?xf32>
  return %r : tensor<?x?x?x?x?xf32>
}
func.func @depthwise(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.depthwise_conv2d %a, %w, %z, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
func.func @transposed(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %z, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
