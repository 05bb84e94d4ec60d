// RUN: broadloom-opt %s --loom-assign-buffers | FileCheck %s

// A result that is made on the function's own level is made in its own memory;
// what is returned twice is copied for the second.
// CHECK-LABEL: func.func @slots
// CHECK: %[[T:.*]] = loom.launch({{.*}}) slots [-1]
// CHECK: loom.launch(%[[T]]) slots [1]
// CHECK: loom.alloc() {slot = 0 : i32} : memref<4xf32>
// CHECK: loom.alloc() : memref<2xf32>
func.func @slots(%a: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>, memref<?xf32>) {
  %t = loom.launch(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    loom.yield %x : f32
  }
  %r = loom.launch(%t) slots [-1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    loom.yield %x : f32
  }
  %m = memref.alloc() : memref<4xf32>
  %unused = memref.alloc() : memref<2xf32>
  return %m, %r, %r : memref<4xf32>, memref<?xf32>, memref<?xf32>
}

// Private functions have no results of the call's own.
// CHECK-LABEL: func.func private @inner
// CHECK: loom.alloc() : memref<4xf32>
func.func private @inner() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}
