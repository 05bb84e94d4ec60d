// RUN: broadloom-opt %s --loom-outline-kernels --split-input-file | FileCheck %s

// The loop of a kernel of many operations is over vectors already, which LLVM
// would take long to make of it.
// CHECK-LABEL: func.func @many
// CHECK: llvm.func internal @loom_kernel_0({{.*}}) attributes {passthrough = ["loom-vectors"]}
// CHECK-COUNT-2: llvm.load {{.*}} alignment = 4 : i64{{.*}} -> vector<16xf32>
// CHECK: %[[K:.*]] = arith.constant dense<2.0{{.*}}> : vector<16xf32>
// CHECK: arith.mulf %{{.*}}, %[[K]] : vector<16xf32>
// CHECK-COUNT-25: arith.addf {{.*}} : vector<16xf32>
// CHECK: llvm.store {{.*}} alignment = 4 : i64{{.*}} : vector<16xf32>
func.func @many(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?xf32>, memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32, %y: f32):
    %k = arith.constant 2.0 : f32
    %m = arith.mulf %x, %k : f32
    %0 = arith.addf %m, %y : f32
    %1 = arith.addf %0, %y : f32
    %2 = arith.addf %1, %y : f32
    %3 = arith.addf %2, %y : f32
    %4 = arith.addf %3, %y : f32
    %5 = arith.addf %4, %y : f32
    %6 = arith.addf %5, %y : f32
    %7 = arith.addf %6, %y : f32
    %8 = arith.addf %7, %y : f32
    %9 = arith.addf %8, %y : f32
    %10 = arith.addf %9, %y : f32
    %11 = arith.addf %10, %y : f32
    %12 = arith.addf %11, %y : f32
    %13 = arith.addf %12, %y : f32
    %14 = arith.addf %13, %y : f32
    %15 = arith.addf %14, %y : f32
    %16 = arith.addf %15, %y : f32
    %17 = arith.addf %16, %y : f32
    %18 = arith.addf %17, %y : f32
    %19 = arith.addf %18, %y : f32
    %20 = arith.addf %19, %y : f32
    %21 = arith.addf %20, %y : f32
    %22 = arith.addf %21, %y : f32
    %23 = arith.addf %22, %y : f32
    %24 = arith.addf %23, %y : f32
    loom.yield %24 : f32
  }
  return %r : memref<?xf32>
}

// -----

// Of wider elements, fewer.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-25: arith.addf {{.*}} : vector<8xf64>
func.func @wide(%a: memref<?xf64>, %b: memref<?xf64>) -> memref<?xf64> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?xf64>, memref<?xf64>) -> memref<?xf64> {
  ^bb0(%x: f64, %y: f64):
    %0 = arith.addf %x, %y : f64
    %1 = arith.addf %0, %y : f64
    %2 = arith.addf %1, %y : f64
    %3 = arith.addf %2, %y : f64
    %4 = arith.addf %3, %y : f64
    %5 = arith.addf %4, %y : f64
    %6 = arith.addf %5, %y : f64
    %7 = arith.addf %6, %y : f64
    %8 = arith.addf %7, %y : f64
    %9 = arith.addf %8, %y : f64
    %10 = arith.addf %9, %y : f64
    %11 = arith.addf %10, %y : f64
    %12 = arith.addf %11, %y : f64
    %13 = arith.addf %12, %y : f64
    %14 = arith.addf %13, %y : f64
    %15 = arith.addf %14, %y : f64
    %16 = arith.addf %15, %y : f64
    %17 = arith.addf %16, %y : f64
    %18 = arith.addf %17, %y : f64
    %19 = arith.addf %18, %y : f64
    %20 = arith.addf %19, %y : f64
    %21 = arith.addf %20, %y : f64
    %22 = arith.addf %21, %y : f64
    %23 = arith.addf %22, %y : f64
    %24 = arith.addf %23, %y : f64
    loom.yield %24 : f64
  }
  return %r : memref<?xf64>
}

// -----

// Elements of several widths are LLVM's to arrange.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: loom-vectors
// CHECK-NOT: vector<
func.func @mixed(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf64> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?xf32>, memref<?xf32>) -> memref<?xf64> {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %y : f32
    %2 = arith.addf %1, %y : f32
    %3 = arith.addf %2, %y : f32
    %4 = arith.addf %3, %y : f32
    %5 = arith.addf %4, %y : f32
    %6 = arith.addf %5, %y : f32
    %7 = arith.addf %6, %y : f32
    %8 = arith.addf %7, %y : f32
    %9 = arith.addf %8, %y : f32
    %10 = arith.addf %9, %y : f32
    %11 = arith.addf %10, %y : f32
    %12 = arith.addf %11, %y : f32
    %13 = arith.addf %12, %y : f32
    %14 = arith.addf %13, %y : f32
    %15 = arith.addf %14, %y : f32
    %16 = arith.addf %15, %y : f32
    %17 = arith.addf %16, %y : f32
    %18 = arith.addf %17, %y : f32
    %19 = arith.addf %18, %y : f32
    %20 = arith.addf %19, %y : f32
    %21 = arith.addf %20, %y : f32
    %22 = arith.addf %21, %y : f32
    %23 = arith.addf %22, %y : f32
    %24 = arith.addf %23, %y : f32
    %e = arith.extf %24 : f32 to f64
    loom.yield %e : f64
  }
  return %r : memref<?xf64>
}

// -----

// So are the vectors of few operations, of which it computes several at once.
// CHECK-LABEL: func.func @few
// CHECK-NOT: loom-vectors
// CHECK-NOT: vector<
func.func @few(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?xf32>, memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %y : f32
    %2 = arith.addf %1, %y : f32
    %3 = arith.addf %2, %y : f32
    %4 = arith.addf %3, %y : f32
    %5 = arith.addf %4, %y : f32
    %6 = arith.addf %5, %y : f32
    %7 = arith.addf %6, %y : f32
    %8 = arith.addf %7, %y : f32
    %9 = arith.addf %8, %y : f32
    %10 = arith.addf %9, %y : f32
    %11 = arith.addf %10, %y : f32
    %12 = arith.addf %11, %y : f32
    %13 = arith.addf %12, %y : f32
    %14 = arith.addf %13, %y : f32
    %15 = arith.addf %14, %y : f32
    %16 = arith.addf %15, %y : f32
    %17 = arith.addf %16, %y : f32
    %18 = arith.addf %17, %y : f32
    %19 = arith.addf %18, %y : f32
    %20 = arith.addf %19, %y : f32
    %21 = arith.addf %20, %y : f32
    %22 = arith.addf %21, %y : f32
    %23 = arith.addf %22, %y : f32
    loom.yield %23 : f32
  }
  return %r : memref<?xf32>
}
