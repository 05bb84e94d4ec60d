// A view whose allocation is known is checked against its extents, any other one
// against what its block says (mem-11).

// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-lower-affine --loom-refine-shapes --loom-insert-guards | FileCheck %s

// CHECK-LABEL: func.func @seen
// CHECK-NOT: loom.reach
// CHECK: loom.require %{{.*}}, "memref.reinterpret_cast", "the view reaches from element {0} to element {1} of the result of 'memref.alloc' at {{.*}}, whose memory has elements {2} to {3}"
func.func @seen(%n: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  %v = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [2] : memref<?xf32> to memref<4xf32, strided<[2], offset: 1>>
  memref.dealloc %m : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @proved
// CHECK-NOT: loom.require
// CHECK: return
func.func @proved(%a: memref<4x6xf32>, %i: index) -> f32 {
  %c23 = arith.constant 23 : index
  %m = memref.alloc() : memref<24xf32>
  %v = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [2] : memref<24xf32> to memref<4xf32, strided<[2], offset: 1>>
  %e = memref.expand_shape %m [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  %x = memref.load %c[%c23] : memref<24xf32>
  memref.dealloc %m : memref<24xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @asked
// CHECK: %[[FIRST:.*]], %[[END:.*]] = loom.reach %arg0
// CHECK: loom.require
func.func @asked(%a: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %x = memref.load %v[%c0] : memref<?xf32, strided<[1]>>
  return %x : f32
}
