// RUN: broadloom-opt %s --loom-place-memory | FileCheck %s

// A small alloca is a slot on the stack. One of any size is memory of the call,
// which is freed at the end of its block.
// CHECK-LABEL: func.func @scopes
// CHECK: memref.alloca() {loom.stack_slot} : memref<4xf32>
// CHECK: %[[LARGE:.*]] = memref.alloc(%{{.*}}) {loom.of_scope} : memref<?xf32>
// CHECK: memref.dealloc %[[LARGE]] {loom.of_scope}
// CHECK-NEXT: return
func.func @scopes(%n: index) -> f32 attributes {loom.memory} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %small = memref.alloca() : memref<4xf32>
  memref.store %zero, %small[%c0] : memref<4xf32>
  %large = memref.alloca(%n) : memref<?xf32>
  %x = memref.load %large[%c0] : memref<?xf32>
  return %x : f32
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

// Of memory that is freed elsewhere, each use is checked.
// CHECK-LABEL: func.func @freedOnABranch
// CHECK: %[[OWN:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: scf.if
// CHECK: %[[LIVES:.*]] = loom.is_live %[[OWN]]
// CHECK-NEXT: loom.require %[[LIVES]], "memref.load", "the memory has been freed"
// CHECK-NEXT: memref.load %[[OWN]]
func.func @freedOnABranch(%n: index, %c: i1) -> f32 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %own = memref.alloc(%n) : memref<?xf32>
  scf.if %c {
    memref.dealloc %own : memref<?xf32>
  }
  %x = memref.load %own[%c0] : memref<?xf32>
  return %x : f32
}
