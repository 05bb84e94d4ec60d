// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-lower-buffers | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[M:.*]]: memref<?x4xf32>, %[[T:.*]]: tensor<?xf32>, %[[N:.*]]: index)
func.func @main(%m: memref<?x4xf32>, %t: tensor<?xf32>, %n: index)
    -> (memref<?x4xf32, strided<[?, ?], offset: ?>>, tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[D:.*]] = memref.dim %[[M]]
  // CHECK: %[[A:.*]] = memref.alloc(%[[D]]) {loom.origin = "bufferization.clone"} : memref<?x4xf32>
  // CHECK: memref.copy %[[M]], %[[A]]
  // CHECK: %[[C:.*]] = memref.cast %[[A]]
  %0 = bufferization.clone %m : memref<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  // CHECK: %[[E:.*]] = tensor.empty(%[[N]])
  %1 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  // CHECK-NOT: dealloc_tensor
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %3 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  bufferization.dealloc_tensor %3 : tensor<?xf32>
  // CHECK: return %[[C]], %[[E]], %[[T]]
  return %0, %1, %2 : memref<?x4xf32, strided<[?, ?], offset: ?>>, tensor<?xf32>, tensor<?xf32>
}

// Of two allocations in one function nothing is compared; others are.

// CHECK-LABEL: func.func @free
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[C:.*]]: i1)
// CHECK: %[[X:.*]] = memref.alloc
// CHECK: %[[Y:.*]] = memref.alloc
// CHECK: %[[S:.*]] = loom.shares_allocation %[[X]], %[[A]] : memref<4xf32>, memref<?xf32>
// CHECK-NOT: loom.shares_allocation %[[X]], %[[Y]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %[[X]] {loom.origin = "bufferization.dealloc"}
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %[[Y]] {loom.origin = "bufferization.dealloc"}
func.func @free(%a: memref<?xf32>, %c: i1) -> i1 {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<i32>
  %t = arith.constant true
  %0 = bufferization.dealloc (%x, %y : memref<4xf32>, memref<i32>) if (%t, %c) retain (%a : memref<?xf32>)
  return %0 : i1
}

// CHECK-LABEL: func.func @free_always
// CHECK-NOT: scf.if
// CHECK: memref.dealloc
func.func @free_always() {
  %x = memref.alloc() : memref<4xf32>
  %t = arith.constant true
  bufferization.dealloc (%x : memref<4xf32>) if (%t)
  return
}
