// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests | FileCheck %s
// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-guard-nests \
// RUN:   --loom-lower-affine-accesses | FileCheck %s --check-prefix=LOWERED

// Of an access with a subscript that is data, the other axes are checked in
// front. The check is about these alone.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf64>, %[[IX:.*]]: memref<?xindex>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: scf.if
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[M]]
// CHECK: memref.load %[[IX]][%[[J]]] {loom.check_only
// CHECK: memref.load %[[A]][%[[I]], %{{c0.*}}] {loom.check_only, loom.checked_axes = array<i64: 1>
// CHECK: affine.for
// CHECK: memref.store %{{.*}}, %[[A]][%{{.*}}, %{{.*}}] {loom.checked_axes = array<i64: 0>}
// LOWERED-LABEL: func.func @scatter
// LOWERED: memref.store {{.*}} {loom.checked_axes = array<i64: 0>
func.func @scatter(%a: memref<?x?xf64>, %ix: memref<?xindex>, %n: index, %m: index, %x: f64) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.load %ix[%j] : memref<?xindex>
      memref.store %x, %a[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// In front of the inner loop, the other axis is known too: no check is left.
// CHECK-LABEL: func.func @gather
// CHECK: affine.for
// CHECK: scf.if
// CHECK: loom.checked_axes = array<i64: 1>
// CHECK: affine.for
// CHECK: memref.store %{{.*}} {loom.checked}
func.func @gather(%a: memref<?x?xf64>, %ix: memref<?xindex>, %n: index, %m: index, %x: f64) {
  affine.for %i = 0 to %n {
    %k = affine.load %ix[%i] : memref<?xindex>
    affine.for %j = 0 to %m {
      memref.store %x, %a[%k, %j] : memref<?x?xf64>
    }
  }
  return
}
