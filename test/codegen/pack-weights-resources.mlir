// RUN: broadloom-opt %s --loom-pack-weights | FileCheck %s

// The memory of weights that are packed is freed if a pass has made it. What the
// text itself has stays, whatever its name, also where an attribute inside
// another one has it.
// CHECK: module attributes {{{.*}}test.other = [{initial = dense_resource<__made__> : tensor<2x3xf32>}]
// CHECK: arith.constant dense<{{.*}}> : tensor<1x2x
// CHECK: arith.constant dense<{{.*}}> : tensor<1x2x
// CHECK-NOT: dense_resource
// CHECK: {-#
// CHECK: __made__: "0x400000000000803F0000004000004040000080400000A0400000C040"
module attributes {loom.target = {triple = "x86_64-unknown-linux-gnu", cpu = "cascadelake"},
                   test.other = [{initial = dense_resource<__made__> : tensor<2x3xf32>}]} {
func.func @main(%a: tensor<?x2xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %w = arith.constant dense_resource<__made__> : tensor<2x3xf32>
  %v = arith.constant dense_resource<__made___1> : tensor<2x3xf32>
  %r = loom.contract(%a, %w) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  %q = loom.contract(%a, %v) window {dilations = array<i64>, pads = array<i64>, strides = array<i64>} : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r, %q : tensor<?x3xf32>, tensor<?x3xf32>
}
}

{-#
  dialect_resources: {
    builtin: {
      __made__: "0x400000000000803F0000004000004040000080400000A0400000C040",
      __made___1: "0x400000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
