// Uses of memory that may have been freed are checked, all others not (mem-6).

// RUN: broadloom-opt %s --loom-place-memory | FileCheck %s

// CHECK-LABEL: func.func @plain
// CHECK-NOT: loom.is_live
// CHECK: memref.dealloc
func.func @plain(%a: memref<4xf32>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @branch
// CHECK: memref.dealloc
// CHECK: %[[live:.*]] = loom.is_live
// CHECK: loom.require %[[live]], "memref.load", "the memory has been freed"
func.func @branch(%t: i1) -> f32 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  scf.if %t {
    memref.dealloc %m : memref<4xf32>
  }
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @scopes
// CHECK: memref.alloca() {{.*}}loom.stack_slot
// CHECK: %[[m:.*]] = memref.alloc(%{{.*}}) {loom.of_scope}
// CHECK-NEXT: memref.dealloc %[[m]] {loom.of_scope}
func.func @scopes(%n: index) attributes {loom.memory} {
  %s = memref.alloca() : memref<f32>
  %m = memref.alloca(%n) : memref<?xf32>
  return
}

// Memory that is freed in the block of its allocation is live until there.
// CHECK-LABEL: func.func @freedHere
// CHECK: %[[OWN:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT: memref.load %[[OWN]]
// CHECK-NEXT: memref.dealloc %[[OWN]]
// CHECK-NEXT: %[[LIVES:.*]] = loom.is_live %[[OWN]]
// CHECK-NEXT: loom.require %[[LIVES]], "memref.load", "the memory has been freed"
// CHECK-NEXT: memref.load %[[OWN]]
func.func @freedHere(%n: index) -> f32 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %own = memref.alloc(%n) : memref<?xf32>
  %x = memref.load %own[%c0] : memref<?xf32>
  memref.dealloc %own : memref<?xf32>
  %y = memref.load %own[%c0] : memref<?xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// Memory of a global lives as long as the program; views are of the memory that
// they view.
memref.global "private" @global : memref<4xf32> = uninitialized

// CHECK-LABEL: func.func @globals
// CHECK: memref.dealloc
// CHECK-NEXT: memref.get_global @global : memref<4xf32>
// CHECK-NEXT: memref.load
// CHECK-NEXT: %[[SEEN:.*]] = loom.is_live
// CHECK-NEXT: loom.require %[[SEEN]], "memref.transpose", "the memory has been freed"
func.func @globals(%a: memref<4xf32>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  memref.dealloc %a : memref<4xf32>
  %g = memref.get_global @global : memref<4xf32>
  %x = memref.load %g[%c0] : memref<4xf32>
  %v = memref.transpose %a (i) -> (i) : memref<4xf32> to memref<4xf32, strided<[1]>>
  return
}

// A boundary shows memory that has to live when it is read.
// CHECK-LABEL: func.func @boundary
// CHECK: %[[OF:.*]] = memref.alloc(
// CHECK: loom.boundary
// CHECK: memref.dealloc
// CHECK: %[[LIVE:.*]] = loom.is_live %[[OF]]
// CHECK-NEXT: loom.require %[[LIVE]], "memref.load", "the memory has been freed"
func.func @boundary(%n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %p = loom.boundary wrap %m low[1] high[1] : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  %x = memref.load %p[%c0] : memref<?xf32>
  return
}
