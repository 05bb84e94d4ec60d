// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-place-memory --loom-version-nests | FileCheck %s

// One version says that what is written does not overlap with what is read;
// what is only read may overlap.
// CHECK-LABEL: func.func @gemm
// CHECK-SAME: %[[A:.*]]: memref<?x?xf64>, %[[B:.*]]: memref<?x?xf64>, %[[C:.*]]: memref<?x?xf64>
// CHECK-SAME: passthrough = ["loom-loops"]
// CHECK: memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[APART:.*]] = arith.andi
// CHECK-NEXT: scf.if %[[APART]] {
// CHECK-COUNT-3: llvm.intr.experimental.noalias.scope.decl
// CHECK: memref.load %[[A]]{{.*}} {loom.alias_scopes = [#[[SA:alias_scope[0-9]*]]], loom.noalias = [#[[SC:alias_scope[0-9]*]]]}
// CHECK: memref.load %[[B]]{{.*}} {loom.alias_scopes = [#[[SB:alias_scope[0-9]*]]], loom.noalias = [#[[SC]]]}
// CHECK: memref.load %[[C]]{{.*}} {loom.alias_scopes = [#[[SC]]], loom.noalias = [#[[SA]], #[[SB]]]}
// CHECK: memref.store %{{.*}}, %[[C]]{{.*}} {loom.alias_scopes = [#[[SC]]], loom.noalias = [#[[SA]], #[[SB]]]}
// CHECK: } else {
// CHECK-NOT: loom.noalias
// CHECK: return
func.func @gemm(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %z = memref.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        memref.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Strides of any sign: the addresses are those of both ends of each axis. What
// the loop carries comes from the version that runs.
// CHECK-LABEL: func.func @sum
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: scf.yield
// CHECK: } else {
// CHECK: return %[[R]]
func.func @sum(%a: memref<?xf32, strided<[?], offset: ?>>, %b: memref<f32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %y = memref.load %a[%i] : memref<?xf32, strided<[?], offset: ?>>
    %t = arith.addf %s, %y : f32
    memref.store %t, %b[] : memref<f32>
    scf.yield %t : f32
  }
  return %r : f32
}

// LLVM itself checks a single loop whose accesses all move; one memref, views of
// one memref, and loops that only read, need no version; a call may do anything.
// CHECK-LABEL: func.func @none
// CHECK-NOT: scf.if
// CHECK: return
func.func @none(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[%c1] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%j] : memref<?xf32>
      memref.store %x, %v[%i] : memref<?xf32, strided<[1], offset: ?>>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
    func.call @none(%a, %b, %c0) : (memref<?xf32>, memref<?xf32>, index) -> ()
  }
  return
}

// The extents of memory of open rank are those of the cast.
// CHECK-LABEL: func.func @open_rank
// CHECK: %[[Z:.*]] = memref.cast %{{.*}} : memref<*xf64> to memref<?x?xf64>
// CHECK: memref.extract_aligned_pointer_as_index %[[Z]]
// CHECK: loom.noalias
// CHECK: return
func.func @open_rank(%u: memref<*xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.cast %u : memref<*xf64> to memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %e = memref.load %z[%i, %j] : memref<?x?xf64>
      memref.store %e, %y[%i] : memref<?xf64>
    }
  }
  return
}
