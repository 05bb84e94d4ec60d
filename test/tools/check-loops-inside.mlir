// Iterations meet only in calls for which all accesses of the loops are inside:
// others do not run (eff-1, mem-2).
// RUN: broadloom check %s | FileCheck %s

// Iterations 0 and 4 would meet, of which a call of 8 elements has none.
// CHECK-LABEL: loops
// CHECK: affine.for {{.*}}check-loops-inside.mlir:[[# @LINE + 4]]:3
// CHECK-NEXT: parallel
func.func @half(%a: memref<8xf64>, %n: index) {
  // The loop runs 4 times at most.
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 4] : memref<8xf64>
    affine.store %x, %a[%i] : memref<8xf64>
  }
  return
}

// CHECK: affine.for {{.*}}check-loops-inside.mlir:[[# @LINE + 3]]:3
// CHECK-NEXT: parallel
func.func @mirrored(%a: memref<4xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i * 2] : memref<4xf64>
    affine.store %x, %a[3 - %i] : memref<4xf64>
  }
  return
}

// One more element, and there is such a call: it is told.
// CHECK: affine.for {{.*}}check-loops-inside.mlir:[[# @LINE + 5]]:3
// CHECK-NEXT: in order
// CHECK-NEXT: because iterations %i = 0 and %i = 4 meet at element [4] of argument 'a'
// CHECK-SAME: {{.*}}
func.func @five(%a: memref<9xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 4] : memref<9xf64>
    affine.store %x, %a[%i] : memref<9xf64>
  }
  return
}

// The rows that are read are no rows that are written, because of a third access.
// CHECK: affine.for {{.*}}check-loops-inside.mlir:[[# @LINE + 3]]:3
// CHECK-NEXT: parallel
func.func @third(%a: memref<?xf64>, %b: memref<4xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 4] : memref<?xf64>
    affine.store %x, %a[%i] : memref<?xf64>
    affine.store %x, %b[%i] : memref<4xf64>
  }
  return
}
