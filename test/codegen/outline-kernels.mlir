// RUN: broadloom-opt %s --loom-outline-kernels --split-input-file | FileCheck %s

// A cheap chain is one stage, whatever its operands' extents.
// CHECK-LABEL: func.func @cheap
// CHECK: loom.run @loom_program_0(%{{.*}}, %{{.*}}) slots [-1]
// A loop over strips around one over the 64 elements of a strip, of which each
// input has its own step to the next; such a short one stores past the caches.
// CHECK: llvm.func internal @loom_kernel_0(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %[[STEPS:.*]]: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i32)
// CHECK-SAME: "loom-streams"
// CHECK-COUNT-2: llvm.getelementptr %[[STEPS]]
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK-NOT: @loom_kernel_1
// CHECK: llvm.mlir.global internal constant @loom_numbers_0(dense<[0, 1]>
func.func @cheap(%a: memref<?x?xf32>, %b: memref<?x?xf32>) -> memref<?x?xf32> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    %p = arith.mulf %s, %y : f32
    loom.yield %p : f32
  }
  return %r : memref<?x?xf32>
}

// -----

// A costly value that depends on fewer operands than its user is a stage of its
// own, so that it is computed once per element of its own extents (decision 64).
// CHECK-LABEL: func.func @costly
// CHECK: llvm.func internal @loom_kernel_0
// CHECK-NOT: loom-streams
// CHECK: math.exp
// CHECK-NOT: arith.addf
// CHECK: llvm.func internal @loom_kernel_1
// CHECK-NOT: math.exp
// CHECK: arith.addf
// CHECK: llvm.mlir.global internal constant @loom_numbers_0(dense<0>
// CHECK: llvm.mlir.global internal constant @loom_numbers_1(dense<[2, 1]>
module attributes {loom.target = {triple = "x86_64-linux-gnu", cpu = "znver4"}} {
  func.func @costly(%a: memref<?x?xf32>, %b: memref<?x?xf32>) -> memref<?x?xf32> {
    %r = loom.launch(%a, %b) slots [-1] : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
    ^bb0(%x: f32, %y: f32):
      %e = math.exp %x : f32
      %s = arith.addf %e, %y : f32
      loom.yield %s : f32
    }
    return %r : memref<?x?xf32>
  }
}

// -----

// Beside stores past the caches the prefetchers of some processors fall behind;
// there a function's loop prefetches its operand.
// CHECK-LABEL: func.func @ahead
// CHECK: llvm.func internal @loom_kernel_0
// CHECK-SAME: "loom-streams"
// CHECK: math.exp
module attributes {loom.target = {triple = "x86_64-linux-gnu", cpu = "sapphirerapids"}} {
  func.func @ahead(%a: memref<?xf32>) -> memref<?xf32> {
    %r = loom.launch(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
    ^bb0(%x: f32):
      %e = math.exp %x : f32
      loom.yield %e : f32
    }
    return %r : memref<?xf32>
  }
}

// -----

// Where the types prove that it has the result's extents, it is not cut.
// CHECK-LABEL: func.func @costly_full
// CHECK: llvm.func internal @loom_kernel_0
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: @loom_kernel_1
func.func @costly_full(%a: memref<4x8xf32>, %b: memref<8xf32>) -> memref<4x8xf32> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<4x8xf32>, memref<8xf32>) -> memref<4x8xf32> {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    %s = arith.addf %e, %y : f32
    loom.yield %s : f32
  }
  return %r : memref<4x8xf32>
}

// -----

// Equal bodies share a kernel and a program.
// CHECK-LABEL: func.func @equal
// CHECK-COUNT-2: loom.run @loom_program_0
// CHECK: @loom_kernel_0
// CHECK-NOT: @loom_kernel_1
func.func @equal(%a: memref<?xf32>, %b: memref<?xf32>) {
  %r = loom.launch(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    %n = arith.negf %x : f32
    loom.yield %n : f32
  }
  %s = loom.launch(%b) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    %n = arith.negf %x : f32
    loom.yield %n : f32
  }
  return
}

// -----

// i1 takes a byte in memory, and any byte but 0 is true.
// CHECK-LABEL: func.func @booleans
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: arith.cmpi ne
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: @loom_numbers_1(dense<1> : tensor<2xi32>)
func.func @booleans(%a: memref<?xi1>) -> memref<?xi1> {
  %true = arith.constant true
  %r = loom.launch(%a) slots [-1] : (memref<?xi1>) -> memref<?xi1> {
  ^bb0(%x: i1):
    %t = arith.constant true
    %n = arith.xori %x, %t : i1
    loom.yield %n : i1
  }
  return %r : memref<?xi1>
}

// -----

// Two bf16 elements at a time, the halves of a word.
// CHECK-LABEL: func.func @pairs
// CHECK: llvm.func internal @loom_kernel_0
// CHECK-COUNT-2: llvm.load {{.*}} alignment = 2 : i64{{.*}} -> i32
// CHECK-COUNT-2: arith.addf
// CHECK: llvm.store {{.*}} alignment = 2 : i64{{.*}} : i32
func.func @pairs(%a: memref<?xbf16>, %b: memref<?xbf16>) -> memref<?xbf16> {
  %r = loom.launch(%a, %b) slots [-1] : (memref<?xbf16>, memref<?xbf16>) -> memref<?xbf16> {
  ^bb0(%x: bf16, %y: bf16):
    %s = arith.addf %x, %y : bf16
    loom.yield %s : bf16
  }
  return %r : memref<?xbf16>
}

// -----

// Where another type is involved, one element.
// CHECK-LABEL: func.func @no_pairs
// CHECK: llvm.func internal @loom_kernel_0
// CHECK: llvm.load {{.*}} alignment = 2 : i64{{.*}} -> i16
// CHECK-COUNT-1: arith.extf
// CHECK-NOT: arith.extf
// CHECK: llvm.store {{.*}} alignment = 4 : i64{{.*}} : f32
func.func @no_pairs(%a: memref<?xbf16>) -> memref<?xf32> {
  %r = loom.launch(%a) slots [-1] : (memref<?xbf16>) -> memref<?xf32> {
  ^bb0(%x: bf16):
    %s = arith.extf %x : bf16 to f32
    loom.yield %s : f32
  }
  return %r : memref<?xf32>
}
