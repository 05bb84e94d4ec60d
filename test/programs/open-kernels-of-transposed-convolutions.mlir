// RUN: broadloom run %s --function=channels --input=1x2x2x1xf32=1 --input=3x2x1x1xf32=1 --input="3xf32=0 1 2" | FileCheck %s --check-prefix=CHANNELS
// RUN: broadloom run %s --function=kernel --input=1x2x2x1xf32=1 --input=1x2x1x1xf32=1 --input=1xf32=0 | FileCheck %s --check-prefix=KERNEL
// RUN: not broadloom run %s --function=kernel --input=1x2x2x1xf32=1 --input=1x3x1x1xf32=1 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not broadloom run %s --function=channels --input=1x2x0x1xf32= --input=3x2x1x1xf32=1 --input="3xf32=0 1 2" 2>&1 | FileCheck %s --check-prefix=NO-COLUMN
// RUN: not broadloom run %s --function=kernel --input=1x2x2x1xf32=1 --input=1x0x1x1xf32= --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=NO-ROW
// RUN: broadloom run %s --function=gaps --input=1x2x1x1xf32="-1 1" --input=1x1x1x1xf32=1 --input=1xf32=-0 | FileCheck %s --check-prefix=GAPS

// img-1
// NO-COLUMN: 'tosa.transpose_conv2d': the input has 0 along axis 2, so that there is nothing to look at
// NO-ROW: 'tosa.transpose_conv2d': the kernel must be at least 1 along axis 1, but is 0

// Where the kernel does not reach, the sum is 0, and with a bias of -0 as well.
// GAPS: {{\[\[\[\[}}-1.]
// GAPS: {{\[\[ *}}0.]
// GAPS: {{\[\[ *}}1.]
func.func @gaps(%a: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

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
