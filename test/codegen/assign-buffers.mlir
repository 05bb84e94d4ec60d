// RUN: broadloom-opt %s --loom-assign-buffers | FileCheck %s

// A result that is made on the function's own level is made in its own memory;
// what is returned twice is copied for the second.
// CHECK-LABEL: func.func @slots
// CHECK: %[[T:.*]] = loom.run @program({{.*}}) slots [-1]
// CHECK: loom.run @program(%[[T]]) slots [1]
// CHECK: loom.alloc() {slot = 0 : i32} : memref<4xf32>
// CHECK: loom.alloc() : memref<2xf32>
func.func @slots(%a: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>, memref<?xf32>) {
  %t = loom.run @program(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %r = loom.run @program(%t) slots [-1] : (memref<?xf32>) -> memref<?xf32>
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

// A public function that the program calls as well writes to no result of the
// call: that may be a call of another function.
// CHECK-LABEL: func.func @called
// CHECK: loom.alloc() : memref<4xf32>
func.func @called() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}
// CHECK-LABEL: func.func @caller
// CHECK: loom.alloc() {slot = 0 : i32} : memref<8xf32>
func.func @caller() -> memref<8xf32> {
  %m = func.call @called() : () -> memref<4xf32>
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
