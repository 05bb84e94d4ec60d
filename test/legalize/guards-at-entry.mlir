// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s

// The guards of both nests stand in front of what is written, in the program's
// order, and behind an assertion. What the second one is computed from moves.
// CHECK-LABEL: func.func @two
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[P:.*]]: i1)
// CHECK: cf.assert
// CHECK: scf.if
// CHECK: memref.load %[[A]]{{.*}}loom.check_only
// CHECK: {loom.finds_failure}
// CHECK: %[[K:.*]] = arith.addi %[[N]], %[[N]]
// CHECK: scf.if
// CHECK: memref.load %[[B]]{{.*}}loom.check_only
// CHECK: {loom.finds_failure}
// CHECK: affine.for
// CHECK-NEXT: affine.store
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: affine.for %{{.*}} = 0 to %[[K]]
func.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %p: i1) {
  %x = arith.constant 0.0 : f32
  cf.assert %p, "p"
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  %k = arith.addi %n, %n : index
  affine.for %i = 0 to %k {
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}

// Branches around a nest are around its guard.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[P:.*]]: i1)
// CHECK: scf.if %[[P]] {
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK: %[[HOLDS:.*]] = arith.cmpi sge, %[[AT]]
// CHECK: %[[ELSE:.*]] = arith.xori %[[HOLDS]]
// CHECK-NEXT: scf.if %[[ELSE]] {
// CHECK: {loom.finds_failure}
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: affine.store
// CHECK: affine.if
// CHECK-NOT: loom.finds_failure
// CHECK: return
func.func @branches(%a: memref<?xf32>, %n: index, %p: i1) {
  %x = arith.constant 0.0 : f32
  affine.store %x, %a[0] : memref<?xf32>
  scf.if %p {
    affine.if affine_set<(d) : (d - 5 >= 0)>(%n) {
      affine.store %x, %a[1] : memref<?xf32>
    } else {
      affine.for %i = 0 to %n {
        affine.store %x, %a[%i] : memref<?xf32>
      }
    }
  }
  return
}

// A guard stands behind what makes its memory, unless that may be freed in between.
// CHECK-LABEL: func.func @made
// CHECK-SAME: memref<?xf32>, %[[N:.*]]: index, %{{.*}}: index
// CHECK: memref.alloc(%[[N]])
// CHECK: arith.addi %{{.*}}, %[[N]]
// CHECK: {loom.finds_failure}
// CHECK-NEXT: affine.store
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.store
// CHECK-NEXT: {{^ *}$}}
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc
// CHECK: arith.addi %{{.*}}, %[[N]]
// CHECK: {loom.finds_failure}
// CHECK-NEXT: affine.for
func.func @made(%a: memref<?xf32>, %n: index, %m: index, %p: i1) {
  %x = arith.constant 0.0 : f32
  %t = memref.alloc(%n) : memref<?xf32>
  affine.store %x, %a[0] : memref<?xf32>
  affine.for %i = 0 to %m {
    affine.store %x, %t[%i] : memref<?xf32>
  }
  scf.if %p {
    memref.dealloc %t : memref<?xf32>
  }
  affine.for %i = 1 to %m {
    affine.store %x, %t[%i] : memref<?xf32>
  }
  return
}

// What is loaded is no number at entry, and a cast under a condition does not move.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: loom.finds_failure
// CHECK: affine.store
// CHECK: memref.load
// CHECK: {loom.finds_failure}
// CHECK-NEXT: affine.for
// CHECK: scf.if
// CHECK-NEXT: memref.cast
// CHECK: {loom.finds_failure}
// CHECK-NEXT: affine.for
func.func @stays(%a: memref<?xf32>, %b: memref<?xindex>, %p: i1) {
  %x = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  affine.store %x, %a[0] : memref<?xf32>
  %n = memref.load %b[%c0] : memref<?xindex>
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  scf.if %p {
    %c = memref.cast %a : memref<?xf32> to memref<4xf32>
    affine.for %i = 0 to 5 {
      affine.store %x, %c[%i] : memref<4xf32>
    }
  }
  return
}
