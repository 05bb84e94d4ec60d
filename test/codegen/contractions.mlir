// RUN: broadloom-opt %s --loom-pack-weights | FileCheck %s --check-prefix=PACK
// RUN: broadloom-opt %s --loom-pack-weights --loom-bufferize --loom-outline-kernels | FileCheck %s --check-prefix=OUTLINE

// Panels of the 4 lanes, or more, that the machine sums at a time: 2 channels
// become one panel that is filled with zeros.
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "haswell"}} {

// PACK: arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 0.000000e+00, {{(0.000000e\+00, )*}}0.000000e+00], [3.000000e+00, 4.000000e+00,
// PACK: loom.contract({{.*}}) window {{{.*}}packed = array<i64: 2, 2>{{.*}}}
// OUTLINE: loom.run @loom_contract_program_0(%{{.*}}, %{{.*}}) slots
func.func @packed(%a: tensor<?x3x2xf32>) -> tensor<?x3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x3x2xf32>
}

// What is not constant stays as it is. Equal kernels are one.
// PACK-LABEL: func.func @given
// PACK-NOT: packed
// OUTLINE: loom.run @loom_contract_program_1
// OUTLINE: loom.run @loom_contract_program_1
func.func @given(%a: tensor<?x3x2xf32>, %w: tensor<2x2xf32>) -> (tensor<?x3x2xf32>, tensor<?x3x2xf32>) {
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %q = loom.contract(%r, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r, %q : tensor<?x3x2xf32>, tensor<?x3x2xf32>
}

// abi-9: what the caller promises not to change is laid out by the runtime, for
// the kernel of a constant weight.
// PACK-LABEL: func.func @promised(
// PACK-NOT: arith.constant
// PACK-NOT: tensor.expand_shape
// PACK: loom.contract(%{{.*}}, %arg1) window {{{.*}}packed = array<i64: 2, 2>{{.*}}} : (tensor<?x3x2xf32>, tensor<2x2xf32>)
// PACK: loom.contract(%{{.*}}, %arg1) window {{{.*}}packed = array<i64: 2, 2>{{.*}}} : (tensor<?x3x2xf32>, tensor<2x2xf32>)
// OUTLINE-LABEL: func.func @promised(
// OUTLINE-NOT: loom.contiguous
// OUTLINE: loom.run @loom_contract_program_0
// OUTLINE: loom.run @loom_contract_program_0
func.func @promised(%a: tensor<?x3x2xf32>, %w: tensor<2x2xf32> {loom.constant}) -> tensor<?x3x2xf32> {
  %v = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 2, 2] : tensor<2x2xf32> into tensor<1x2x2xf32>
  %r = loom.contract(%a, %v) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<1x2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %q = loom.contract(%r, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %q : tensor<?x3x2xf32>
}

// The same of the weight of a window, whose strides the runtime looks at.
// PACK-LABEL: func.func @promised_window(
// PACK: loom.contract(%arg0, %arg1) window {{{.*}}packed = array<i64: 3, 3, 2, 2>{{.*}}} : (tensor<?x8x8x2xf32>, tensor<3x3x2x2xf32>)
// OUTLINE-LABEL: func.func @promised_window(
// OUTLINE: loom.contiguous %arg0
// OUTLINE-NOT: loom.contiguous
// OUTLINE: loom.run
func.func @promised_window(%a: tensor<?x8x8x2xf32>, %w: tensor<3x3x2x2xf32> {loom.constant}) -> tensor<?x6x6x2xf32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x8x8x2xf32>, tensor<3x3x2x2xf32>) -> tensor<?x6x6x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x6x6x2xf32>
}

// The three channels of each of two groups are a panel of their own.
// PACK-LABEL: func.func @groups(
// PACK: arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, {{(0.000000e\+00, )*}}0.000000e+00{{\]\], \[\[}}4.000000e+00, 5.000000e+00, 6.000000e+00, 0.000000e+00,
// PACK: loom.contract({{.*}}) window {{{.*}}groups = 2{{.*}}packed = array<i64: 1, 1, 6>{{.*}}} : (tensor<?x5x2xf32>, tensor<2x1x8xf32>)
func.func @groups(%a: tensor<?x5x2xf32>) -> tensor<?x5x6xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]]> : tensor<1x1x6xf32>
  %r = loom.contract(%a, %w) window {dilations = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>, groups = 2} : (tensor<?x5x2xf32>, tensor<1x1x6xf32>) -> tensor<?x5x6xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x5x6xf32>
}

// A function of the program may be given what changes.
// PACK-LABEL: func.func @called(
// PACK-NOT: packed
// PACK-LABEL: func.func @calls(
func.func @called(%a: tensor<?x3x2xf32>, %w: tensor<2x2xf32> {loom.constant}) -> tensor<?x3x2xf32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x3x2xf32>
}
func.func @calls(%a: tensor<?x3x2xf32>, %w: tensor<2x2xf32>) -> tensor<?x3x2xf32> {
  %r = func.call @called(%a, %w) : (tensor<?x3x2xf32>, tensor<2x2xf32>) -> tensor<?x3x2xf32>
  return %r : tensor<?x3x2xf32>
}

}

// A known number of channels that fills no vector is stored without masks.
// OUTLINE: llvm.func internal @loom_kernel_contract_0
// OUTLINE-NOT: llvm.intr.masked.store
// OUTLINE: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr
// OUTLINE: llvm.func internal @loom_kernel_contract_1
// OUTLINE: llvm.func internal @loom_kernel_contract_2
// OUTLINE: llvm.func internal @loom_kernel_contract_3
// OUTLINE-NOT: @loom_kernel_contract_4
