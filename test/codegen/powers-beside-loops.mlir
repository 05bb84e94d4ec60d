// REQUIRES: avx512
// RUN: broadloom compile %s --emit=asm -o - | FileCheck %s

// A loop beside a kernel brings LLVM's whole pipeline, which finds that all powers
// have the same exponent. The kernel has vectors all the same.
// CHECK: loom_kernel_0:
// CHECK-NOT: scalefss
// CHECK: vscalefps
// CHECK: loom_cases_pow_x16
func.func @power(%a: tensor<?xf32>) -> tensor<?xf32> {
  %b = "tosa.const"() <{values = dense<2.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pow %a, %b : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %0 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %l = "tosa.const"() <{values = dense<100> : tensor<i32>}> : () -> tensor<i32>
    %c = tosa.greater %l, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %l = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %s = tosa.add %i, %l : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %s : tensor<i32>
  }
  return %0 : tensor<i32>
}
