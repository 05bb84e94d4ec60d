// The address of an element is one step for each axis, so that LLVM sees the
// address of a row that two accesses share.

// RUN: broadloom-opt %s --broadloom-compile | FileCheck %s

// CHECK-LABEL: llvm.func internal @loom_function_given
// CHECK: %[[ROWS:.*]] = llvm.mul %[[I:.*]], %{{.*}} overflow<nsw> : i64
// CHECK-NEXT: %[[ROW:.*]] = llvm.getelementptr inbounds %{{.*}}[%[[ROWS]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[ROW]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.load %[[AT]] : !llvm.ptr -> f32
func.func @given(%a: memref<?x?xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i, %i] : memref<?x?xf32>
  return %x : f32
}

// An offset is a step as well, and so is each axis of any stride.
// CHECK-LABEL: llvm.func internal @loom_function_strided
// CHECK: %[[START:.*]] = llvm.getelementptr inbounds %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds %[[START]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[ROW]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.store %{{.*}}, %[[AT]] : f32, !llvm.ptr
func.func @strided(%a: memref<4x4xf32, strided<[?, 2], offset: ?>>) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c3, %c3] : memref<4x4xf32, strided<[?, 2], offset: ?>>
  return
}
