// Constant kernels without an element, and padding that cuts away more than there
// is: an error only where the operation is reached (img-1).
//
// RUN: broadloom run %s --function=channels_apart --input=1x2x3x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-CHANNELS-APART
// NOT-CHANNELS-APART: {{^}}1x2x3x2
// RUN: broadloom run %s --function=channels_apart --input=1x2x3x2xf32=1 --input=i1=1 --shapes | FileCheck %s --check-prefix=CHANNELS-APART
// CHANNELS-APART: {{^}}1x4x6x0
// RUN: broadloom run %s --function=channels --input=1x2x3x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-CHANNELS
// NOT-CHANNELS: {{^}}1x2x3x2
// RUN: broadloom run %s --function=channels --input=1x2x3x2xf32=1 --input=i1=1 --shapes | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: {{^}}1x3x4x0
// RUN: broadloom run %s --function=rows_apart --input=1x2x3x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-ROWS-APART
// NOT-ROWS-APART: {{^}}1x2x3x2
// RUN: not broadloom run %s --function=rows_apart --input=1x2x3x2xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=ROWS-APART
// ROWS-APART: 'tosa.transpose_conv2d': the kernel must be at least 1 along axis 1, but is 0
// RUN: broadloom run %s --function=rows --input=1x2x3x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-ROWS
// NOT-ROWS: {{^}}1x2x3x2
// RUN: not broadloom run %s --function=rows --input=1x2x3x2xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: 'tosa.transpose_conv2d': the kernel must be at least 1 along axis 1, but is 0
// RUN: broadloom run %s --function=cut_apart --input=1x1x1x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-CUT-APART
// NOT-CUT-APART: {{^}}1x1x1x2
// RUN: not broadloom run %s --function=cut_apart --input=1x1x1x2xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=CUT-APART
// CUT-APART: 'tosa.transpose_conv2d': the output would have -2 along axis 1
// RUN: broadloom run %s --function=cut --input=1x1x1x2xf32=1 --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-CUT
// NOT-CUT: {{^}}1x1x1x2
// RUN: not broadloom run %s --function=cut --input=1x1x1x2xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: 'tosa.transpose_conv2d': the output would have -2 along axis 1
// RUN: broadloom run %s --function=image --input=1x0x3x2xf32= --input=i1=0 --shapes | FileCheck %s --check-prefix=NOT-IMAGE
// NOT-IMAGE: {{^}}1x0x3x2
// RUN: not broadloom run %s --function=image --input=1x0x3x2xf32= --input=i1=1 2>&1 | FileCheck %s --check-prefix=IMAGE
// IMAGE: 'tosa.transpose_conv2d': the input has 0 along axis 1, so that there is nothing to look at

func.func @channels_apart(%x: tensor<1x2x3x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<> : tensor<0x2x2x2xf32>} : () -> tensor<0x2x2x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x3x2xf32>, tensor<0x2x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x2x3x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @channels(%x: tensor<1x2x3x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<> : tensor<0x2x2x2xf32>} : () -> tensor<0x2x2x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x3x2xf32>, tensor<0x2x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x2x3x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @rows_apart(%x: tensor<1x2x3x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<> : tensor<1x0x2x2xf32>} : () -> tensor<1x0x2x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x2x3x2xf32>, tensor<1x0x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x2x3x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @rows(%x: tensor<1x2x3x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<> : tensor<1x0x2x2xf32>} : () -> tensor<1x0x2x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x3x2xf32>, tensor<1x0x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x2x3x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @cut_apart(%x: tensor<1x1x1x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<1.0> : tensor<1x4x4x2xf32>} : () -> tensor<1x4x4x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -3, -3, -3, -3>, stride = array<i64: 2, 2>} : (tensor<1x1x1x2xf32>, tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x1x1x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @cut(%x: tensor<1x1x1x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<1.0> : tensor<1x4x4x2xf32>} : () -> tensor<1x4x4x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -3, -3, -3, -3>, stride = array<i64: 1, 1>} : (tensor<1x1x1x2xf32>, tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x1x1x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}

func.func @image(%x: tensor<1x0x3x2xf32>, %c: tensor<i1>) -> tensor<?x?x?x?xf32> {
  %i = tensor.extract %c[] : tensor<i1>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "tosa.const"() {values = dense<1.0> : tensor<1x2x2x2xf32>} : () -> tensor<1x2x2x2xf32>
  %r = scf.if %i -> tensor<?x?x?x?xf32> {
    %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 4, 4>} : (tensor<1x0x3x2xf32>, tensor<1x2x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?xf32>
    scf.yield %0 : tensor<?x?x?x?xf32>
  } else {
    %1 = tensor.cast %x : tensor<1x0x3x2xf32> to tensor<?x?x?x?xf32>
    scf.yield %1 : tensor<?x?x?x?xf32>
  }
  return %r : tensor<?x?x?x?xf32>
}
