// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-place-memory --loom-check-ahead | FileCheck %s

// The memory that is read ahead is not written: one check in front says so. A
// loop over the block computes whether all indices are inside. Then the block
// runs without checks, and else with them.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[X:.*]]: memref<?xf64>, %[[AT:.*]]: memref<?xi64>, %[[Y:.*]]: memref<?xf64>, %[[N:.*]]: index
// CHECK: %[[APART:.*]] = arith.andi
// CHECK: %[[TRIPS:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %[[TRIPS]])
// CHECK: ^bb0(%[[FIRST:.*]]: index, %[[LEFT:.*]]: index):
// CHECK: %[[SIZE:.*]] = arith.minui %[[LEFT]], %c512
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[SIZE]], %c32
// CHECK: %[[READ:.*]] = arith.andi %[[APART]], %[[LONG]]
// CHECK: %[[HOLDS:.*]] = scf.if %[[READ]] -> (i1) {
// CHECK: %[[COUNT:.*]] = scf.for %[[K:.*]] = %{{.*}} to %[[SIZE]] step %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (index) {
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[K]]
// CHECK: memref.load %[[AT]][%[[I]]]
// CHECK: %[[ONE:.*]] = arith.index_castui %{{.*}} : i1 to index
// CHECK: arith.addi %[[SO_FAR]], %[[ONE]]
// CHECK: arith.cmpi eq, %[[COUNT]], %[[SIZE]]
// CHECK: scf.if %[[HOLDS]] {
// CHECK-NOT: loom.require
// CHECK: memref.load %[[X]]{{.*}} {loom.alias_scopes
// CHECK: } else {
// CHECK: loom.require
// CHECK: memref.load %[[X]][%{{[0-9]*}}] :
// CHECK: return
func.func @gather(%x: memref<?xf64>, %at: memref<?xi64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %extent = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %inside = arith.cmpi ult, %index, %extent : index
    loom.require %inside, "memref.load", "index {0} is outside"(%index : index)
    %e = memref.load %x[%index] : memref<?xf64>
    memref.store %e, %y[%i] : memref<?xf64>
  }
  return
}

// A load that may rely on a check is read in a later stage. A check that is the
// same in all iterations needs no loop. Nothing is written, so that nothing has
// to be apart.
// CHECK-LABEL: func.func @stages
// CHECK-SAME: %[[A:.*]]: memref<?xi64>, %[[B:.*]]: memref<?xi64>
// CHECK-NOT: extract_aligned_pointer
// CHECK: %[[R:.*]]:3 = scf.while
// CHECK: %[[FIRST:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK-NEXT: memref.load %[[A]][%c0]
// CHECK-NOT: scf.for
// CHECK: scf.if %[[FIRST]] -> (i1) {
// CHECK: scf.for
// CHECK: memref.load %[[B]]
// CHECK: return %[[R]]#2
func.func @stages(%a: memref<?xi64>, %b: memref<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %extent = memref.dim %b, %c0 : memref<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %a[%c0] : memref<?xi64>
    %j = arith.index_cast %x : i64 to index
    %first = arith.cmpi ult, %j, %extent : index
    loom.require %first, "memref.load", "index {0} is outside"(%j : index)
    %y = memref.load %b[%i] : memref<?xi64>
    %k = arith.index_cast %y : i64 to index
    %second = arith.cmpi ult, %k, %extent : index
    loom.require %second, "memref.load", "index {0} is outside"(%k : index)
    %z = memref.load %b[%k] : memref<?xi64>
    %t = arith.addi %s, %z : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// Loops stay as they are where a check depends on what the loop carries, on
// memory that it writes, or on an operation that may be undefined, where they
// have other loops or calls in them, where they have no check, and where they
// carry a float, which they wait for.
// CHECK-LABEL: func.func @none
// CHECK-NOT: scf.while
// CHECK: return
func.func @none(%a: memref<?xi64>, %b: memref<?xi64>, %n: index, %m: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %extent = memref.dim %a, %c0 : memref<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.load", "index {0} is outside"(%k : index)
    %x = memref.load %a[%k] : memref<?xi64>
    %next = arith.index_cast %x : i64 to index
    scf.yield %next : index
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %k = arith.index_cast %x : i64 to index
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.store", "index {0} is outside"(%k : index)
    memref.store %x, %a[%k] : memref<?xi64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %y = arith.divui %x, %m : i64
    %k = arith.index_cast %y : i64 to index
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.store", "index {0} is outside"(%k : index)
    memref.store %x, %b[%k] : memref<?xi64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %k = arith.index_cast %x : i64 to index
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.store", "index {0} is outside"(%k : index)
    func.call @none(%a, %b, %k, %m) : (memref<?xi64>, memref<?xi64>, index, i64) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    memref.store %x, %b[%i] : memref<?xi64>
  }
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %k = arith.index_cast %x : i64 to index
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.load", "index {0} is outside"(%k : index)
    %y = memref.load %b[%k] : memref<?xi64>
    %z = arith.sitofp %y : i64 to f64
    %t = arith.addf %s, %z : f64
    scf.yield %t : f64
  }
  return
}
