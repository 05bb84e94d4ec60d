// RUN: broadloom-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @convolution
// CHECK: loom.contract(%arg0, %arg1, %arg2) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>} : (tensor<?x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x4x4x16xf32> {
func.func @convolution(%x: tensor<?x8x8x3xf32>, %w: tensor<3x3x3x16xf32>, %b: tensor<16xf32>) -> tensor<?x4x4x16xf32> {
  %r = loom.contract(%x, %w, %b) window {
    strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>
  } : (tensor<?x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<16xf32>) -> tensor<?x4x4x16xf32> {
  ^bb0(%sum: f32, %bias: f32):
    %s = arith.addf %sum, %bias : f32
    loom.yield %s : f32
  }
  return %r : tensor<?x4x4x16xf32>
}

// -----

func.func @f(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{needs an image and a weight}}
  %r = loom.contract(%x) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) {
  // expected-error @+1 {{has a window of 2 axes and an image of 3, of which a window has all but the first and the last}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<2x4x5xf32>) {
  // expected-error @+1 {{has 1 strides, 1 dilations and 1 pads; a window has one, one and two for each axis}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<2x4x5xf32>) {
  // expected-error @+1 {{strides and dilations must be positive, and pads not negative}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 0>, dilations = array<i64: 1>, pads = array<i64: 0, 0>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<5xf32>) {
  // expected-error @+1 {{has a weight of rank 1; for a window of 0 axes it needs 2}}
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3x4xf32>, tensor<5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) {
  // expected-error @+1 {{has 2 operands but its body has 2 arguments; it needs one for the sum and one for each operand but the first two}}
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32, %t: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) {
  // expected-error @+1 {{yields 'f32' for result 0, whose element type is 'f64'}}
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf64> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %t: tensor<1x2x3x5xf32>) {
  // expected-error @+1 {{operand of type 'tensor<1x2x3x5xf32>' does not broadcast to a result of rank 3}}
  %r = loom.contract(%x, %w, %t) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<1x2x3x5xf32>) -> tensor<2x3x5xf32> {
  ^bb0(%s: f32, %u: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x8x8x3xf32>, %w: tensor<2x2x3xi8>) {
  // expected-error @+1 {{has a weight of rank 3; for a window of 2 axes it needs 2}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, kind = #loom.contraction_kind<max_pool>} : (tensor<?x8x8x3xf32>, tensor<2x2x3xi8>) -> tensor<?x7x7x3xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x8x8x3xf32>, %w: tensor<2x2xi8>) {
  // expected-error @+1 {{has no weights, and so neither zero points nor a packed weight}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, zeroPoints = array<i64: 0, 0>, kind = #loom.contraction_kind<max_pool>} : (tensor<?x8x8x3xf32>, tensor<2x2xi8>) -> tensor<?x7x7x3xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x8x8x3xi32>, %w: tensor<2x2xi8>) {
  // expected-error @+1 {{takes maxima or sums of floats, but its body's first argument has type 'i32'}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, kind = #loom.contraction_kind<max_pool>} : (tensor<?x8x8x3xi32>, tensor<2x2xi8>) -> tensor<?x7x7x3xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return
}

// -----

func.func @f(%x: tensor<?x8x8x3xf32>, %w: tensor<2x2xi8>) {
  // expected-error @+2 {{failed to parse Loom_ContractionKindAttr parameter}}
  // expected-error @+1 {{there is no kind 'pool' of contractions; there are products, depthwise, sum_pool and max_pool}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, kind = #loom.contraction_kind<pool>} : (tensor<?x8x8x3xf32>, tensor<2x2xi8>) -> tensor<?x7x7x3xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

// Pads are added to an extent together: their sum is a number too.
func.func @pads(%a: tensor<1x?x?x3xf32>, %w: tensor<2x2x3x4xf32>) -> tensor<1x?x?x4xf32> {
  // expected-error @+1 {{has pads of 4611686018427387904 and 4611686018427387904 along axis 2, which are more than a number of 64 bits; give pads that an image can have}}
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 9223372036854775807, 0, 4611686018427387904, 4611686018427387904>, strides = array<i64: 1, 1>} : (tensor<1x?x?x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x?x?x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<1x?x?x4xf32>
}

// -----

func.func @unsigned(%a: tensor<?x2x3xi8>, %w: tensor<3x4xui8>) -> tensor<?x2x4xi32> {
  // expected-error @+1 {{has an image or a weight of type 'tensor<3x4xui8>', and takes integers as signed ones; convert unsigned ones to a wider signless type}}
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x2x3xi8>, tensor<3x4xui8>) -> tensor<?x2x4xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return %r : tensor<?x2x4xi32>
}

// -----

func.func @padding_mode(%a: tensor<?x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<?x8x8x4xf32> {
  // expected-error @+1 {{has the padding mode 'constant'; what counts as 0 has none, and others repeat elements}}
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, paddingMode = #loom.padding_mode<constant>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<?x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<?x8x8x4xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x8x8x4xf32>
}

// -----

// CHECK-LABEL: func.func @groups
// CHECK: loom.contract(%arg0, %arg1) window {{{.*}}groups = 4{{.*}}} : (tensor<?x9x8xf32>, tensor<3x2x12xf32>)
func.func @groups(%x: tensor<?x9x8xf32>, %w: tensor<3x2x12xf32>) -> tensor<?x7x12xf32> {
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 4} : (tensor<?x9x8xf32>, tensor<3x2x12xf32>) -> tensor<?x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x7x12xf32>
}

// -----

func.func @f(%x: tensor<?x9x8xf32>, %w: tensor<3x2x12xf32>) {
  // expected-error @+1 {{has 0 groups; it needs 1 or more}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 0} : (tensor<?x9x8xf32>, tensor<3x2x12xf32>) -> tensor<?x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x9x8xf32>, %w: tensor<3x2x12xf32>) {
  // expected-error @+1 {{has 5 groups, which do not divide the 12 channels of the sums}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 5} : (tensor<?x9x8xf32>, tensor<3x2x12xf32>) -> tensor<?x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x9x8xf32>, %w: tensor<3x2x?xf32>) {
  // expected-error @+1 {{has groups and a weight of type 'tensor<3x2x?xf32>'; the extent of its last axis must be a number}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 4} : (tensor<?x9x8xf32>, tensor<3x2x?xf32>) -> tensor<?x7x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x9x8xf32>, %w: tensor<?x3x2x12xf32>) {
  // expected-error @+1 {{has groups and a weight of rank 4; for a window of 1 axes it needs 3}}
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 4} : (tensor<?x9x8xf32>, tensor<?x3x2x12xf32>) -> tensor<?x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>, %w: tensor<2x12xf32>) {
  // expected-error @+1 {{has groups, which only a contraction of kind 'products' with a window has}}
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>, groups = 4} : (tensor<?x8xf32>, tensor<2x12xf32>) -> tensor<?x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

// One group is a contraction without groups.
func.func @f(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>) {
  %r = loom.contract(%x, %w) window {strides = array<i64: 1>, dilations = array<i64: 1>, pads = array<i64: 0, 0>, groups = 1} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x9x8xf32>, %w: memref<3x2x12xf32>) {
  // expected-error @+1 {{has a contraction with 0 groups; it needs 1 or more}}
  %r = loom.launch(%x, %w) slots [0] {contraction = #loom.contraction<kind = products, strides = [1], dilations = [1], pads = [0, 0], groups = 0>} : (memref<2x9x8xf32>, memref<3x2x12xf32>) -> memref<2x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x9x8xf32>, %w: memref<3x8x12xf32>) {
  // expected-error @+1 {{has a contraction with 1 strides, 1 dilations and 0 pads; it needs as many dilations as strides and twice as many pads}}
  %r = loom.launch(%x, %w) slots [0] {contraction = #loom.contraction<kind = products, strides = [1], dilations = [1], pads = []>} : (memref<2x9x8xf32>, memref<3x8x12xf32>) -> memref<2x7x12xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return
}
