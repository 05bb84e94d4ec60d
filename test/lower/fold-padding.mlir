// RUN: broadloom-opt %s --pass-pipeline='builtin.module(func.func(convert-tosa-to-contract,loom-fold-padding))' --split-input-file | FileCheck %s

// A pad of zeros, and a slice of what stride 2 leaves over: the window has the
// padding that is not taken away, for each of two that read the pad.
// CHECK-LABEL: func.func @two
// CHECK-NOT: tosa.pad
// CHECK-NOT: tosa.slice
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 1, 0, 1, 0>{{.*}} (tensor<1x8x8x2xf32>, {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 1, 1, 1, 1>{{.*}} (tensor<1x8x8x2xf32>, {{.*}} -> tensor<1x8x8x2xf32>
func.func @two(%x: tensor<1x8x8x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x8x8x2xf32>) {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 9, 9, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %w = arith.constant dense<2.0> : tensor<3x3x2x1xf32>
  %b = arith.constant dense<0.0> : tensor<2xf32>
  %0 = tosa.pad %x, %p, %zero : (tensor<1x8x8x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x10x10x2xf32>
  %1 = tosa.slice %0, %start, %size : (tensor<1x10x10x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x9x9x2xf32>
  %2 = tosa.depthwise_conv2d %1, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %3 = tosa.depthwise_conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x10x10x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x2xf32>
  return %2, %3 : tensor<1x4x4x2xf32>, tensor<1x8x8x2xf32>
}

// -----

// The zero of integers is the zero point; the weight may be anything. Without a
// slice, extents may be unknown, and there may be padding already.
// CHECK-LABEL: func.func @integers
// CHECK-NOT: tosa.pad
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 2, 1, 0, 3>{{.*}}zeroPoints = array<i64: -3, 0>{{.*}} (tensor<?x?x8x2xi8>,
func.func @integers(%x: tensor<?x?x8x2xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>) -> tensor<?x?x9x4xi32> {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 2, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %zx = arith.constant dense<-3> : tensor<1xi8>
  %zw = arith.constant dense<0> : tensor<1xi8>
  %0 = tosa.pad %x, %p, %zx : (tensor<?x?x8x2xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<?x?x10x2xi8>
  %1 = tosa.conv2d %0, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x10x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x?x9x4xi32>
  return %1 : tensor<?x?x9x4xi32>
}

// -----

// CHECK-LABEL: func.func @constant
// CHECK-NOT: tosa.pad
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 1, 2, 3, 4>{{.*}} (tensor<?x4x4x2xf32>,
func.func @constant(%x: tensor<?x4x4x2xf32>) -> tensor<?x7x11x3xf32> {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 2, 3, 4, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %w = arith.constant dense<0.5> : tensor<3x1x1x2xf32>
  %b = arith.constant dense<0.0> : tensor<3xf32>
  %0 = tosa.pad %x, %p, %zero : (tensor<?x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<?x7x11x2xf32>
  %1 = tosa.conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x7x11x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x7x11x3xf32>
  return %1 : tensor<?x7x11x3xf32>
}

// -----

// Images and channels that are added have no padding of a window.
// CHECK-LABEL: func.func @axes
// CHECK-COUNT-2: tosa.pad
// CHECK-NOT: loom.contract(%arg0
func.func @axes(%x: tensor<1x4x4x2xf32>) -> (tensor<2x4x4x3xf32>, tensor<1x4x4x3xf32>) {
  %p = tosa.const_shape {values = dense<[1, 0, 0, 0, 0, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %q = tosa.const_shape {values = dense<[0, 0, 0, 0, 0, 0, 0, 1]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %w = arith.constant dense<0.5> : tensor<3x1x1x2xf32>
  %v = arith.constant dense<0.5> : tensor<3x1x1x3xf32>
  %b = arith.constant dense<0.0> : tensor<3xf32>
  %0 = tosa.pad %x, %p, %zero : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<2x4x4x2xf32>
  %1 = tosa.pad %x, %q, %zero : (tensor<1x4x4x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  %2 = tosa.conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x4x4x2xf32>, tensor<3x1x1x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x4x3xf32>
  %3 = tosa.conv2d %1, %v, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<3x1x1x3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %2, %3 : tensor<2x4x4x3xf32>, tensor<1x4x4x3xf32>
}

// -----

// A slice alone: what no window reaches.
// CHECK-LABEL: func.func @end
// CHECK-NOT: tosa.slice
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 0, 0, 0, 0>{{.*}} (tensor<1x8x9x2xf32>,
func.func @end(%x: tensor<1x8x9x2xf32>, %w: tensor<2x2x2x2xf32>) -> tensor<1x4x3x2xf32> {
  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 8, 8, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %b = arith.constant dense<0.0> : tensor<2xf32>
  %0 = tosa.slice %x, %start, %size : (tensor<1x8x9x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
  %1 = tosa.conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 3>} : (tensor<1x8x8x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3x2xf32>
  return %1 : tensor<1x4x3x2xf32>
}

// -----

// One window more would fit, or the beginning is taken away.
// CHECK-LABEL: func.func @slices
// CHECK-COUNT-2: tosa.slice
// CHECK-NOT: loom.contract(%arg0
func.func @slices(%x: tensor<1x8x9x2xf32>, %w: tensor<2x2x2x2xf32>) -> (tensor<1x7x7x2xf32>, tensor<1x4x4x2xf32>) {
  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
  %one = tosa.const_shape {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 8, 8, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %b = arith.constant dense<0.0> : tensor<2xf32>
  %0 = tosa.slice %x, %start, %size : (tensor<1x8x9x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
  %1 = tosa.conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x7x2xf32>
  %2 = tosa.slice %x, %one, %size : (tensor<1x8x9x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x8x8x2xf32>
  %3 = tosa.conv2d %2, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>, tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  return %1, %3 : tensor<1x7x7x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// A weight that is infinite or not known, another number than zero, a negative
// zero, a maximum: the pads stay.
// CHECK-LABEL: func.func @pads
// CHECK-COUNT-5: tosa.pad
// CHECK-NOT: loom.contract(%arg0
func.func @pads(%x: tensor<1x4x4x5xf32>, %w: tensor<5x1x1x5xf32>) -> (tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>) {
  %p = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %negative = arith.constant dense<-0.0> : tensor<1xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %b = arith.constant dense<0.0> : tensor<5xf32>
  %finite = arith.constant dense<1.0> : tensor<5x1x1x5xf32>
  %infinite = arith.constant dense<0x7f800000> : tensor<5x1x1x5xf32>
  %0 = tosa.pad %x, %p, %zero : (tensor<1x4x4x5xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %1 = tosa.pad %x, %p, %negative : (tensor<1x4x4x5xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %2 = tosa.pad %x, %p, %one : (tensor<1x4x4x5xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %3 = tosa.pad %x, %p, %zero : (tensor<1x4x4x5xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %4 = tosa.pad %x, %p, %zero : (tensor<1x4x4x5xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %a = tosa.conv2d %0, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x5xf32>, tensor<5x1x1x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %c = tosa.conv2d %1, %finite, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x5xf32>, tensor<5x1x1x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %d = tosa.conv2d %2, %finite, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x5xf32>, tensor<5x1x1x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %e = tosa.conv2d %3, %infinite, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x5xf32>, tensor<5x1x1x5xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x5xf32>
  %f = tosa.max_pool2d %4 {kernel = array<i64: 1, 1>, nan_mode = PROPAGATE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>
  return %a, %c, %d, %e, %f : tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>, tensor<1x6x6x5xf32>
}

// -----

// CHECK-LABEL: func.func @linalg
// CHECK-NOT: tensor.pad
// CHECK: loom.contract(%arg0, {{.*}}pads = array<i64: 1, 2, 0, 1>
func.func @linalg(%x: tensor<1x4x4x2xf32>) -> tensor<1x5x3x2xf32> {
  %w = arith.constant dense<1.0> : tensor<3x3x2x2xf32>
  %b = arith.constant dense<0.0> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x2xf32> to tensor<1x7x5x2xf32>
  %0 = loom.contract(%p, %w, %b) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} : (tensor<1x7x5x2xf32>, tensor<3x3x2x2xf32>, tensor<2xf32>) -> tensor<1x5x3x2xf32> {
  ^bb0(%s: f32, %c: f32):
    %1 = arith.addf %s, %c : f32
    loom.yield %1 : f32
  }
  return %0 : tensor<1x5x3x2xf32>
}

// -----

// A boundary that repeats elements gives the window its mode, also from in front
// of a transposition; a weight may be anything.
// CHECK-LABEL: func.func @mirrored
// CHECK-NOT: loom.boundary
// CHECK: %[[T:.*]] = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x?x8xf32>) -> tensor<?x?x8x3xf32>
// CHECK: loom.contract(%[[T]], {{.*}}paddingMode = #loom.padding_mode<reflect>, pads = array<i64: 1, 2, 3, 4>{{.*}} (tensor<?x?x8x3xf32>,
func.func @mirrored(%x: tensor<?x3x?x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<?x?x13x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %p = loom.boundary reflect %x low[0, 0, 1, 3] high[0, 0, 2, 4] : tensor<?x3x?x8xf32> to tensor<?x3x?x15xf32>
  %t = tosa.transpose %p {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x?x15xf32>) -> tensor<?x?x15x3xf32>
  %0 = tosa.conv2d %t, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x15x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x13x4xf32>
  return %0 : tensor<?x?x13x4xf32>
}

// -----

// A window has one mode: with padding of its own it reads the boundary.
// CHECK-LABEL: func.func @two_modes
// CHECK: %[[P:.*]] = loom.boundary
// CHECK-NOT: loom.boundary
// CHECK: loom.contract(%[[P]], {{.*}} pads = array<i64: 1, 1, 1, 1>,
// CHECK: loom.contract(%arg0, {{.*}}paddingMode = #loom.padding_mode<wrap>, pads = array<i64: 1, 1, 1, 1>
func.func @two_modes(%x: tensor<1x8x8x2xf32>) -> (tensor<1x10x10x4xf32>, tensor<1x8x8x2xf32>) {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %w = arith.constant dense<2.0> : tensor<4x3x3x2xf32>
  %b = arith.constant dense<0.0> : tensor<4xf32>
  %v = arith.constant dense<2.0> : tensor<3x3x2x1xf32>
  %a = arith.constant dense<0.0> : tensor<2xf32>
  %p = loom.boundary wrap %x low[0, 1, 1, 0] high[0, 1, 1, 0] : tensor<1x8x8x2xf32> to tensor<1x10x10x2xf32>
  %q = loom.boundary wrap %x low[0, 1, 1, 0] high[0, 1, 1, 0] : tensor<1x8x8x2xf32> to tensor<1x10x10x2xf32>
  %0 = tosa.conv2d %p, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x10x10x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x4xf32>
  %1 = tosa.depthwise_conv2d %q, %v, %a, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x10x10x2xf32>, tensor<3x3x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x2xf32>
  return %0, %1 : tensor<1x10x10x4xf32>, tensor<1x8x8x2xf32>
}

// -----

// What is neutral is padding of the window: the least number for maxima, and
// any zero for sums, whose quotients count it. What repeats elements is read,
// also from in front of a transposition.
// CHECK-LABEL: func.func @pools
// CHECK-NOT: loom.boundary
// CHECK: tosa.transpose %arg0
// CHECK: loom.contract({{.*}}kind = #loom.contraction_kind<max_pool>, paddingMode = #loom.padding_mode<symmetric>, pads = array<i64: 1, 1, 1, 1>
// CHECK: loom.contract(%arg1, {{.*}}kind = #loom.contraction_kind<max_pool>, pads = array<i64: 1, 1, 1, 1>
// CHECK: loom.contract(%arg1, {{.*}}kind = #loom.contraction_kind<sum_pool>, pads = array<i64: 1, 1, 1, 1>
// CHECK: %[[SIDE:.*]] = arith.constant 3.000000e+00 : f32
// CHECK: %[[NUMBER:.*]] = arith.mulf %[[SIDE]],
// CHECK: arith.divf %{{.*}}, %[[NUMBER]]
func.func @pools(%x: tensor<1x8x?x?xf32>, %y: tensor<1x?x?x8xf32>) -> (tensor<1x?x?x8xf32>, tensor<1x?x?x8xf32>, tensor<1x?x?x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<1xf32>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant -0.0 : f32
  %p = loom.boundary symmetric %x low[0, 0, 1, 1] high[0, 0, 1, 1] : tensor<1x8x?x?xf32> to tensor<1x8x?x?xf32>
  %t = tosa.transpose %p {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x?x?xf32>) -> tensor<1x?x?x8xf32>
  %q = loom.boundary constant %y with %least : f32 low[0, 1, 1, 0] high[0, 1, 1, 0] : tensor<1x?x?x8xf32> to tensor<1x?x?x8xf32>
  %r = loom.boundary constant %y with %zero : f32 low[0, 1, 1, 0] high[0, 1, 1, 0] : tensor<1x?x?x8xf32> to tensor<1x?x?x8xf32>
  %a = tosa.max_pool2d %t {kernel = array<i64: 3, 3>, nan_mode = PROPAGATE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %b = tosa.max_pool2d %q {kernel = array<i64: 3, 3>, nan_mode = PROPAGATE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>) -> tensor<1x?x?x8xf32>
  %c = tosa.avg_pool2d %r, %z, %z {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x8xf32>
  return %a, %b, %c : tensor<1x?x?x8xf32>, tensor<1x?x?x8xf32>, tensor<1x?x?x8xf32>
}

// -----

// A wide window by channel.
// CHECK-LABEL: func.func @stays
// CHECK: loom.boundary
// CHECK-NOT: paddingMode
func.func @stays(%x: tensor<1x20x20x8xf32>) -> tensor<1x4x4x8xf32> {
  %p = loom.boundary wrap %x low[0, 0, 0, 0] high[0, 1, 1, 0] : tensor<1x20x20x8xf32> to tensor<1x21x21x8xf32>
  %a = tosa.max_pool2d %p {kernel = array<i64: 18, 18>, nan_mode = PROPAGATE, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x21x21x8xf32>) -> tensor<1x4x4x8xf32>
  return %a : tensor<1x4x4x8xf32>
}
