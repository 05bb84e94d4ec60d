// Memory has one space, layouts that are strides are written so, and atomic
// accesses are loads and stores (mem-12, mem-13).

// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-normalize-memory | FileCheck %s

// CHECK: memref.global "private" @g : memref<4xf32> = uninitialized
memref.global "private" @g : memref<4xf32, 3> = uninitialized

// CHECK-LABEL: func.func @spaces(%arg0: memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT: memref.cast %arg0 : memref<4xf32> to memref<*xf32>
func.func @spaces(%a: memref<4xf32, 1>) -> memref<*xf32, 1> {
  %b = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xf32>
  %c = memref.memory_space_cast %b : memref<4xf32> to memref<4xf32, 1>
  %d = memref.cast %c : memref<4xf32, 1> to memref<*xf32, 1>
  return %d : memref<*xf32, 1>
}

// CHECK-LABEL: func.func @ranks
// CHECK-NEXT: %[[RANK:.*]] = arith.constant 2 : index
// CHECK-NEXT: %[[EXTENT:.*]] = memref.dim %arg0, %{{.*}} : memref<4x?xf32>
// CHECK-NEXT: memref.cast %arg0 : memref<4x?xf32> to memref<?x?xf32>
// CHECK-NEXT: return %[[RANK]], %[[EXTENT]]
func.func @ranks(%a: memref<4x?xf32>, %axis: index) -> (index, index) {
  %u = memref.cast %a : memref<4x?xf32> to memref<*xf32>
  %rank = memref.rank %u : memref<*xf32>
  %extent = memref.dim %u, %axis : memref<*xf32>
  %b = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  return %rank, %extent : index, index
}

// CHECK-LABEL: func.func @layouts
// CHECK-SAME: memref<2x3xf32, strided<[1, 2]>>
// CHECK-SAME: memref<2x3xf32, strided<[10, 1], offset: 4>>
// CHECK-SAME: memref<?x?xf32, strided<[1, ?]>>
// CHECK-SAME: memref<8x8xf32, #map>
// CHECK-SAME: memref<8x8xf32, strided<[1, 1]>>
// CHECK-SAME: memref<?x?xf32, strided<[0, 1]>>
// CHECK-SAME: memref<9xf32, #map1>
func.func @layouts(%a: memref<2x3xf32, affine_map<(i, j) -> (j, i)>>,
                   %b: memref<2x3xf32, affine_map<(i, j) -> (10 * i + j + 4)>>,
                   %c: memref<?x?xf32, affine_map<(i, j) -> (j, i)>>,
                   %tiles: memref<8x8xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>,
                   %shared: memref<8x8xf32, affine_map<(i, j) -> (i + j)>>,
                   %row: memref<?x?xf32, affine_map<(i, j) -> (0, j)>>,
                   %pairs: memref<9xf32, affine_map<(i) -> (i floordiv 2)>>) {
  return
}

// CHECK-LABEL: func.func @made
// CHECK: %[[A:.*]] = memref.alloc() : memref<6xf32>
// CHECK-NEXT: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2, 3], strides: [1, 2]
// CHECK: %[[B:.*]] = memref.alloc(%arg1, %arg0) : memref<?x?xf32>
// CHECK-NEXT: memref.transpose %[[B]] (d0, d1) -> (d1, d0) {{.*}}: memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: memref.dealloc %[[B]]
func.func @made(%n: index, %m: index) {
  %a = memref.alloc() : memref<2x3xf32, affine_map<(i, j) -> (j, i)>>
  %b = memref.alloc(%n, %m) : memref<?x?xf32, affine_map<(i, j) -> (j, i)>>
  memref.dealloc %a : memref<2x3xf32, affine_map<(i, j) -> (j, i)>>
  memref.dealloc %b : memref<?x?xf32, affine_map<(i, j) -> (j, i)>>
  return
}

// CHECK-LABEL: func.func @atomic
// CHECK: %[[OLD:.*]] = memref.load %arg0[%arg1]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OLD]], %arg2
// CHECK-NEXT: memref.store %[[SUM]], %arg0[%arg1] {{.*}}loom.checked
// CHECK: return %[[OLD]]
func.func @atomic(%a: memref<?xf32>, %i: index, %x: f32) -> f32 {
  %old = memref.atomic_rmw addf %x, %a[%i] : (f32, memref<?xf32>) -> f32
  return %old : f32
}

// Several elements have one place (mem-17).

// CHECK-LABEL: func.func @accumulated
// CHECK: memref.store %{{.*}}, %arg0[%arg1, %arg1] {{.*}}loom.accumulates
func.func @accumulated(%a: memref<4x4xi32, affine_map<(i, j) -> (j)>>, %i: index, %x: i32) -> i32 {
  %old = memref.atomic_rmw maxs %x, %a[%i, %i] : (i32, memref<4x4xi32, affine_map<(i, j) -> (j)>>) -> i32
  return %old : i32
}

// CHECK-LABEL: func.func @poison
// CHECK-DAG: arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG: arith.constant 0 : index
// CHECK-NOT: ub.poison
// CHECK: return
func.func @poison(%a: memref<?xf32>) {
  %v = ub.poison : vector<4xf32>
  %i = ub.poison : index
  vector.store %v, %a[%i] : memref<?xf32>, vector<4xf32>
  return
}

// Memory of vectors has the axes of the vector (mem-15).

// CHECK-LABEL: func.func @vectors
// CHECK-SAME: (%[[A:.*]]: memref<?x2x3xf32>, %[[B:.*]]: memref<4x2x3xf32, strided<[12, 3, 1], offset: ?>>, %[[I:.*]]: index)
// CHECK: %[[X:.*]] = vector.load %[[A]][%[[I]], %{{.*}}, %{{.*}}] {loom.origin = "memref.load"} : memref<?x2x3xf32>, vector<2x3xf32>
// CHECK: affine.vector_store %[[X]], %[[B]][symbol(%[[I]]), 0, 0]
// CHECK: memref.subview %[[A]][%[[I]], 0, 0] [2, 2, 3] [1, 1, 1]
// CHECK-SAME: memref<?x2x3xf32> to memref<2x2x3xf32, strided<[6, 3, 1], offset: ?>>
// CHECK-NOT: vector.type_cast
func.func @vectors(%a: memref<?xvector<2x3xf32>>, %b: memref<4xvector<2x3xf32>, strided<[2], offset: ?>>, %i: index) {
  %x = memref.load %a[%i] : memref<?xvector<2x3xf32>>
  affine.store %x, %b[symbol(%i)] : memref<4xvector<2x3xf32>, strided<[2], offset: ?>>
  %v = memref.subview %a[%i] [2] [1] : memref<?xvector<2x3xf32>> to memref<2xvector<2x3xf32>, strided<[1], offset: ?>>
  %m = memref.alloc() : memref<2x3xf32>
  %t = vector.type_cast %m : memref<2x3xf32> to memref<vector<2x3xf32>>
  memref.store %x, %t[] : memref<vector<2x3xf32>>
  return
}

// Prefetches do nothing.

// CHECK-LABEL: func.func @prefetches
// CHECK-NEXT: return
func.func @prefetches(%a: memref<4xf32>, %i: index) {
  memref.prefetch %a[%i], read, locality<3>, data : memref<4xf32>
  affine.prefetch %a[symbol(%i) + 9], write, locality<0>, data : memref<4xf32>
  return
}

// Memory is chosen by a branch.
// CHECK-LABEL: func.func @choice
// CHECK: %[[CHOSEN:.*]] = scf.if %{{.*}} -> (memref<?xf32>) {
// CHECK-NEXT: scf.yield {{.*}}%[[A:.*]] : memref<?xf32>
// CHECK: memref.store %{{.*}}, %[[CHOSEN]]
func.func @choice(%a: memref<?xf32>, %b: memref<?xf32>, %c: i1, %x: f32, %i: index) {
  %m = arith.select %c, %a, %b : memref<?xf32>
  memref.store %x, %m[%i] : memref<?xf32>
  return
}

// Of memory of vectors too, which has their axes then.
// CHECK-LABEL: func.func @choice_of_vectors
// CHECK: %[[CHOSEN:.*]] = scf.if %{{.*}} -> (memref<?x4xf32>) {
// CHECK: vector.load %[[CHOSEN]]
func.func @choice_of_vectors(%a: memref<?xvector<4xf32>>, %b: memref<?xvector<4xf32>>, %c: i1, %i: index) {
  %m = arith.select %c, %a, %b : memref<?xvector<4xf32>>
  %x = memref.load %m[%i] : memref<?xvector<4xf32>>
  memref.store %x, %a[%i] : memref<?xvector<4xf32>>
  return
}
