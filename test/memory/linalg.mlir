// Operations of linalg have constraints of their operands' extents (mem-8), and their loops have no others.

// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-lower-affine --loom-refine-shapes --loom-insert-guards | FileCheck %s
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-lower-affine --loom-refine-shapes --loom-insert-guards --loom-place-memory --loom-copy-transposed --loom-linalg-to-loops | FileCheck %s --check-prefix=LOOPS

// CHECK-LABEL: func.func @matmul
// CHECK: loom.require %{{.*}}, "linalg.matmul", "axis 1 of argument 0 has extent {0} but axis 0 of argument 1 has {1}"
// CHECK: loom.require %{{.*}}, "linalg.matmul", "axis 0 of argument 0 has extent {0} but axis 0 of argument 2 has {1}"
// CHECK: loom.require %{{.*}}, "linalg.matmul", "axis 1 of argument 1 has extent {0} but axis 1 of argument 2 has {1}"
// CHECK: linalg.matmul
// LOOPS-LABEL: func.func @matmul
// LOOPS-COUNT-3: loom.require
// LOOPS-COUNT-3: scf.for
// LOOPS-NOT: loom.require
// LOOPS: memref.store
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @proved
// CHECK-NOT: loom.require
// CHECK: return
func.func @proved(%a: memref<?x8xf32>, %w: memref<3xf32>) -> memref<?x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x8xf32>
  %r = memref.alloc(%n) : memref<?x6xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x6xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, k) -> (k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : memref<?x8xf32>, memref<3xf32>) outs(%r : memref<?x6xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return %r : memref<?x6xf32>
}

// The whole operation uses memory that may be freed; its loops do not ask again.
// LOOPS-LABEL: func.func @freed
// LOOPS: loom.is_live
// LOOPS: loom.require %{{.*}}, "linalg.fill", "the memory has been freed"
// LOOPS: scf.for
// LOOPS-NOT: loom.is_live
// LOOPS: memref.store
func.func @freed(%n: index, %t: i1) {
  %x = arith.constant 1.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  scf.if %t {
    memref.dealloc %m : memref<?xf32>
  }
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return
}

// The order of the loops counts where memory overlaps.
// LOOPS-LABEL: func.func @transpose
// LOOPS-NOT: memref.copy
// LOOPS: memref.store
func.func @transpose(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  linalg.transpose ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @no_axes
// CHECK: memref.copy
func.func @no_axes(%a: memref<f32>, %b: memref<f32>) {
  linalg.transpose ins(%a : memref<f32>) outs(%b : memref<f32>) permutation = []
  return
}
