// RUN: broadloom run %s --function=channels --input=1x2x2x1xf32=1 --input=3x2x1x1xf32=1 --input="3xf32=0 1 2" | FileCheck %s --check-prefix=CHANNELS
// RUN: broadloom run %s --function=kernel --input=1x2x2x1xf32=1 --input=1x2x1x1xf32=1 --input=1xf32=0 | FileCheck %s --check-prefix=KERNEL
// RUN: not broadloom run %s --function=kernel --input=1x2x2x1xf32=1 --input=1x3x1x1xf32=1 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=WRONG

// The kernel's type does not say what the result's does.
// CHANNELS: {{\[\[\[\[}}1. 2. 3.]
// CHANNELS: {{\[\[}}2. 3. 4.]
func.func @channels(%a: tensor<1x2x?x1xf32>, %w: tensor<?x2x?x1xf32>, %b: tensor<3xf32>) -> tensor<1x?x2x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x?x1xf32>, tensor<?x2x?x1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x2x?xf32>
  return %r : tensor<1x?x2x?xf32>
}

// KERNEL: {{\[\[\[\[}}1.]
// KERNEL: {{\[\[}}2.]
// KERNEL: {{\[\[}}1.]
// WRONG: open-kernels-of-transposed-convolutions.mlir:{{[0-9]+}}:8: 'tosa.transpose_conv2d': axis 1 of result 0 is declared 3 but is 4
func.func @kernel(%a: tensor<1x2x2x1xf32>, %w: tensor<1x?x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x3x2x1xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x?x1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x2x1xf32>
  return %r : tensor<1x3x2x1xf32>
}
