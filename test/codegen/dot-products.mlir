// RUN: broadloom-opt %s --loom-pack-weights --loom-bufferize --loom-outline-kernels -split-input-file | FileCheck %s
// RUN: broadloom-opt %s --loom-pack-weights -split-input-file | FileCheck %s --check-prefix=PACK

// Four bytes of a sum are one operation where the processor has it. A panel has
// for each channel what the sum begins from, -(7 + 128) times its weights, as
// four bytes, and then the weights of five steps and of three that are 0.
// PACK: arith.constant dense<{{.*}}> : tensor<1x12x64xi8>
// CHECK: llvm.func internal @loom_kernel_contract_0
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "cascadelake"}} {
func.func @symmetric(%a: tensor<?x3x5xi8>) -> tensor<?x3x50xi32> {
  %w = arith.constant dense<3> : tensor<5x50xi8>
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>, zeroPoints = array<i64: 7, 0>} : (tensor<?x3x5xi8>, tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return %r : tensor<?x3x50xi32>
}
}

// -----

// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "alderlake"}} {
func.func @short(%a: tensor<?x3x5xi8>, %w: tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>, zeroPoints = array<i64: 7, 0>} : (tensor<?x3x5xi8>, tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return %r : tensor<?x3x50xi32>
}
}

// -----

// Weights with a zero point, and processors that have no such operation.
// PACK: arith.constant dense<{{.*}}> : tensor<1x5x64xi8>
// CHECK: llvm.func internal @loom_kernel_contract_0
// CHECK-NOT: vpdpbusd
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "cascadelake"}} {
func.func @asymmetric(%a: tensor<?x3x5xi8>) -> tensor<?x3x50xi32> {
  %w = arith.constant dense<3> : tensor<5x50xi8>
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>, zeroPoints = array<i64: 7, 1>} : (tensor<?x3x5xi8>, tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return %r : tensor<?x3x50xi32>
}
}

// -----

// CHECK: llvm.func internal @loom_kernel_contract_0
// CHECK-NOT: vpdpbusd
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "haswell"}} {
func.func @older(%a: tensor<?x3x5xi8>, %w: tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>, zeroPoints = array<i64: 7, 0>} : (tensor<?x3x5xi8>, tensor<5x50xi8>) -> tensor<?x3x50xi32> {
  ^bb0(%s: i32):
    loom.yield %s : i32
  }
  return %r : tensor<?x3x50xi32>
}
}
