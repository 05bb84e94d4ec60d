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
