// RUN: broadloom-opt %s | broadloom-opt | FileCheck %s

// What is known of operands is written by axis; nothing is known of an operand
// without a rank, and a scalar has no axes.

// CHECK: kinds = [#loom.access<[one, match, run_time]>, #loom.access<*>, #loom.access<[]>]
func.func @access(%a: tensor<1x?x?xf32>, %b: tensor<*xf32>, %s: f32) -> tensor<*xf32> {
  %r = loom.map(%x = %a : tensor<1x?x?xf32>, %y = %b : tensor<*xf32>, %z = %s : f32) attributes {kinds = [#loom.access<[one, match, run_time]>, #loom.access<*>, #loom.access<[]>]} -> tensor<*xf32> {
    %t = arith.addf %x, %y : f32
    %u = arith.addf %t, %z : f32
    loom.yield %u : f32
  }
  return %r : tensor<*xf32>
}
