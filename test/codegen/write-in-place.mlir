// RUN: broadloom-opt %s --loom-write-in-place --split-input-file | FileCheck %s

// The next value begins as a copy of the last one, whose memory it may have.
// CHECK-LABEL: func.func @slice
// CHECK: %[[OLD:.*]] = loom.contiguous %arg1
// CHECK-NEXT: %[[NEW:.*]] = loom.alloc() into %[[OLD]] : memref<8x4xf32> {slot = 0 : i32} : memref<8x4xf32>
// CHECK-NEXT: memref.copy %[[OLD]], %[[NEW]]
func.func @slice(%x: memref<1x4xf32>, %old: memref<8x4xf32, strided<[?, ?], offset: ?>>) -> memref<8x4xf32>
    attributes {loom.state = [{in_place, name = "v", written}]} {
  %new = loom.alloc() {slot = 0 : i32} : memref<8x4xf32>
  %rows = loom.contiguous %old : memref<8x4xf32, strided<[?, ?], offset: ?>> -> memref<8x4xf32>
  memref.copy %rows, %new : memref<8x4xf32> to memref<8x4xf32>
  %part = memref.subview %new[2, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  memref.copy %x, %part : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  return %new : memref<8x4xf32>
}

// -----

// Loops that hand memory on return it.
// CHECK-LABEL: func.func @loops
// CHECK: %[[NEW:.*]] = loom.alloc() into %arg1 : memref<8xf32> {slot = 1 : i32}
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: return %{{.*}}, %[[NEW]]
func.func @loops(%x: f32, %old: memref<8xf32>) -> (index, memref<8xf32>)
    attributes {loom.state = [{in_place, name = "v", written}]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %new = loom.alloc() : memref<8xf32>
  memref.copy %old, %new : memref<8xf32> to memref<8xf32>
  %all = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %new) -> (memref<8xf32>) {
    %some = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> (memref<8xf32>) {
      memref.store %x, %b[%j] : memref<8xf32>
      scf.yield %b : memref<8xf32>
    }
    scf.yield %some : memref<8xf32>
  }
  return %c0, %all : index, memref<8xf32>
}

// -----

// What reads the last value behind the first write needs it as it was.
// CHECK-LABEL: func.func @read_behind
// CHECK-NOT: into
func.func @read_behind(%old: memref<8xf32>) -> (f32, memref<8xf32>)
    attributes {loom.state = [{in_place, name = "v", written}]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %new = loom.alloc() {slot = 1 : i32} : memref<8xf32>
  memref.copy %old, %new : memref<8xf32> to memref<8xf32>
  memref.store %zero, %new[%c0] : memref<8xf32>
  %first = memref.load %old[%c0] : memref<8xf32>
  return %first, %new : f32, memref<8xf32>
}

// -----

// A variable that becomes another one is not written in place, nor is one that does
// not say so.
// CHECK-LABEL: func.func @others
// CHECK-NOT: into
func.func @others(%a: memref<8xf32>, %b: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
    attributes {loom.state = [{in_place, name = "a", written}, {name = "b", written}]} {
  %next = loom.alloc() {slot = 0 : i32} : memref<8xf32>
  memref.copy %b, %next : memref<8xf32> to memref<8xf32>
  %other = loom.alloc() {slot = 1 : i32} : memref<8xf32>
  memref.copy %b, %other : memref<8xf32> to memref<8xf32>
  return %next, %other : memref<8xf32>, memref<8xf32>
}
