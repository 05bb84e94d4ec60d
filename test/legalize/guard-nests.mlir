// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s

// One condition is for both accesses. Where it does not hold, the nest runs
// with its checks alone, in the order of the program, from the first iteration
// on that has an access outside.
// CHECK-LABEL: func.func @shift
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: memref.dim %[[A]]
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK-NEXT: scf.if %[[FAILS]] {
// CHECK: scf.while
// CHECK: scf.yield
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: scf.for %[[I:.*]] = %[[FIRST]] to %[[N]] step
// CHECK-NEXT: %[[NEXT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT: memref.load %[[A]][%[[NEXT]]] {loom.check_only, loom.origin = "affine.load"}
// CHECK-NEXT: memref.load %[[A]][%[[I]]] {loom.check_only, loom.origin = "affine.store"}
// CHECK-NEXT: } {loom.origin = "affine.for"}
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to %[[N]] {
// CHECK-NEXT: affine.load %[[A]][%[[J]] + 1] {loom.checked}
// CHECK-NEXT: affine.store %{{.*}}, %[[A]][%[[J]]] {loom.checked}
func.func @shift(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 1] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// Loops and branches of scf are read as those of affine are. A step that is
// not known must be at least 1, and such a loop is not searched.
// CHECK-LABEL: func.func @ofScf
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[S:.*]]: index
// CHECK: arith.cmpi sgt, %[[S]]
// CHECK: scf.if
// CHECK-NOT: scf.while
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %[[S]]
// CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[I]]
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[TWICE]], %[[N]]
// CHECK-NEXT: scf.if %[[LESS]]
// CHECK-NEXT: memref.load %[[A]][%[[TWICE]]] {loom.check_only, loom.origin = "memref.store"}
// CHECK: scf.for
// CHECK: memref.store %{{.*}} {loom.checked}
func.func @ofScf(%a: memref<?xf32>, %n: index, %s: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %s {
    %k = arith.muli %i, %c2 : index
    %less = arith.cmpi slt, %k, %n : index
    scf.if %less {
      memref.store %x, %a[%k] : memref<?xf32>
    }
  }
  return
}

// A loop that compares unsigned numbers, and a condition that is computed in the
// loop from floats, are not read.
// CHECK-LABEL: func.func @unread
// CHECK-NOT: loom.check
// CHECK: return
func.func @unread(%a: memref<?xf32>, %p: i1, %n: index, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for unsigned %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpf ogt, %y, %x : f32
    %f = arith.xori %p, %c : i1
    scf.if %f {
      memref.store %x, %a[%i] : memref<?xf32>
    }
  }
  return
}

// An index that depends on data has no condition in front of the loop.
// CHECK-LABEL: func.func @indirect
// CHECK: memref.load %{{.*}} {loom.checked}
// CHECK-NEXT: memref.store %{{[^{]*$}}
// CHECK: return
func.func @indirect(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %j = memref.load %a[%i] : memref<?xindex>
    memref.store %i, %a[%j] : memref<?xindex>
  }
  return
}

// Memory that is made with an extent has it, also through views, and nothing
// is left to check. Numbers that memory was made with need no limit.
// CHECK-LABEL: func.func @equalExtents
// CHECK-NOT: arith.cmpi
// CHECK-NOT: loom.check_only
// CHECK-COUNT-5: loom.checked
// CHECK-NOT: loom.check_only
// CHECK: return
func.func @equalExtents(%a: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?x8xf32>
  %b = memref.alloc(%d) : memref<?x8x1xf32>
  %c = memref.collapse_shape %b [[0], [1, 2]] : memref<?x8x1xf32> into memref<?x8xf32>
  %t = memref.transpose %c (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %e = memref.dim %c, %c0 : memref<?x8xf32>
  %m = arith.maxui %d, %e : index
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<?x8xf32>
      affine.store %x, %c[%i, %j] : memref<?x8xf32>
      affine.store %x, %t[%j, %i] : memref<8x?xf32, strided<[1, 8]>>
    }
  }
  %k = arith.addi %n, %m : index
  %f = memref.alloc(%n) : memref<?xf32>
  %g = memref.alloc(%k) : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %f[%i] : memref<?xf32>
    affine.store %x, %g[%i] : memref<?xf32>
  }
  return
}

// What a branch around the nest says of an extent holds there alone, and
// memory that both branches give with one extent has it.
// CHECK-LABEL: func.func @broadcast
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: affine.load %{{.*}}[0] {loom.checked}
// CHECK: memref.alloc
// CHECK-NOT: scf.if
// CHECK: affine.store %{{.*}} {loom.checked}
// CHECK: scf.if
// CHECK: affine.load %{{.*}}[0] {loom.checked}
// CHECK: return
func.func @broadcast(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c0 : memref<?xf32>
  %isOne = arith.cmpi eq, %d, %c1 : index
  %b = scf.if %isOne -> memref<?xf32> {
    %f = memref.alloc(%d) : memref<?xf32>
    affine.for %i = 0 to %d {
      %x = affine.load %a[0] : memref<?xf32>
      affine.store %x, %f[%i] : memref<?xf32>
    }
    scf.yield %f : memref<?xf32>
  } else {
    %g = memref.alloc(%d) : memref<?xf32>
    scf.yield %g : memref<?xf32>
  }
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %d {
    affine.store %zero, %b[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 9 {
    %x = affine.load %a[0] : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
  }
  return
}

// An extent that is made behind the nest says nothing of it.
// CHECK-LABEL: func.func @madeLater
// CHECK: arith.cmpi
// CHECK: scf.if
// CHECK: return
func.func @madeLater(%a: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  return
}
