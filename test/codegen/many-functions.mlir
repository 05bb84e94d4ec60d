// RUN: broadloom-opt %s --loom-outline-kernels | FileCheck %s

// Of more functions than LLVM compiles fast in one kernel each is a stage, and
// equal stages share a kernel.
// CHECK: llvm.func internal @loom_kernel_0
// CHECK: math.tanh
// CHECK-NOT: math.tanh
// CHECK: llvm.func internal @loom_kernel_1
// CHECK: arith.addf
// CHECK-NOT: @loom_kernel_2
func.func @main(%a: memref<?xf32>) -> memref<?xf32> {
  %r = loom.launch(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    %0 = math.tanh %x : f32
    %1 = math.tanh %0 : f32
    %2 = math.tanh %1 : f32
    %3 = math.tanh %2 : f32
    %4 = math.tanh %3 : f32
    %5 = math.tanh %4 : f32
    %6 = math.tanh %5 : f32
    %7 = math.tanh %6 : f32
    %8 = math.tanh %7 : f32
    %9 = math.tanh %8 : f32
    %10 = math.tanh %9 : f32
    %11 = math.tanh %10 : f32
    %12 = math.tanh %11 : f32
    %13 = math.tanh %12 : f32
    %14 = math.tanh %13 : f32
    %15 = math.tanh %14 : f32
    %16 = math.tanh %15 : f32
    %17 = math.tanh %16 : f32
    %18 = math.tanh %17 : f32
    %19 = math.tanh %18 : f32
    %20 = math.tanh %19 : f32
    %21 = math.tanh %20 : f32
    %22 = math.tanh %21 : f32
    %23 = math.tanh %22 : f32
    %24 = math.tanh %23 : f32
    %25 = math.tanh %24 : f32
    %26 = math.tanh %25 : f32
    %27 = math.tanh %26 : f32
    %28 = math.tanh %27 : f32
    %29 = math.tanh %28 : f32
    %30 = math.tanh %29 : f32
    %31 = math.tanh %30 : f32
    %32 = math.tanh %31 : f32
    %s = arith.addf %32, %x : f32
    loom.yield %s : f32
  }
  return %r : memref<?xf32>
}
