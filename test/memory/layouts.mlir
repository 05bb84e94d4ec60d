// Accesses to memory whose layout is tiles have the places that the map gives
// (mem-13).

// RUN: broadloom-opt %s --loom-place-memory | FileCheck %s

// CHECK-LABEL: func.func @tiles
// CHECK: memref.alloc() : memref<2x6x4xf32>
// CHECK: %[[TILE:.*]] = affine.apply #{{.*}}(%arg0, %arg1)
// CHECK: %[[ROW:.*]] = affine.apply #{{.*}}(%arg0, %arg1)
// CHECK: %[[IN:.*]] = affine.apply #{{.*}}(%arg0, %arg1)
// CHECK: memref.load %{{.*}}[%[[TILE]], %[[ROW]], %[[IN]]] {{.*}}: memref<2x6x4xf32>
func.func @tiles(%i: index, %j: index) -> f32 attributes {loom.memory} {
  %m = memref.alloc() : memref<8x6xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>
  %x = memref.load %m[%i, %j] : memref<8x6xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>
  return %x : f32
}
