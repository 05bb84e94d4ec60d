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
