// Equal loop nests of a long program become calls of one function
// (loom-share-nests, decision 89).

// RUN: broadloom-opt %s --loom-share-nests=longest=5 | FileCheck %s
// RUN: broadloom-opt %s --loom-share-nests | FileCheck %s --check-prefix=SHORT

// SHORT-NOT: loom_loop

// Two nests that differ in memory, in a bound and in a factor.
// CHECK-LABEL: func.func @equal
// CHECK-SAME: %[[A:.*]]: memref<?xf64>, %[[B:.*]]: memref<?xf64>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[X:.*]] = arith.constant 3.0
// CHECK: call @[[EQUAL:loom_loop_[0-9]+]](%[[A]], %[[X]], %[[B]], %[[N]])
// CHECK: %[[Y:.*]] = arith.constant 5.0
// CHECK: call @[[EQUAL]](%[[B]], %[[Y]], %[[A]], %[[M]])
// CHECK-NEXT: return
// CHECK: func.func private @[[EQUAL]](%{{.*}}: memref<?xf64>, %{{.*}}: f64, %{{.*}}: memref<?xf64>, %{{.*}}: index)
// CHECK-SAME: passthrough = ["noinline", "loom-loops"]
// CHECK: scf.for
// CHECK: arith.mulf
func.func @equal(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 3.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf64>
    %1 = arith.mulf %0, %x : f64
    memref.store %1, %b[%i] : memref<?xf64>
  }
  %y = arith.constant 5.0 : f64
  scf.for %i = %c0 to %m step %c1 {
    %0 = memref.load %b[%i] : memref<?xf64>
    %1 = arith.mulf %0, %y : f64
    memref.store %1, %a[%i] : memref<?xf64>
  }
  return
}

// Numbers that a nest carries are results.
// CHECK-LABEL: func.func @sums
// CHECK: %[[P:.*]] = call @[[SUM:loom_loop_[0-9]+]](
// CHECK: %[[Q:.*]] = call @[[SUM]](
// CHECK: arith.addf %[[P]], %[[Q]]
func.func @sums(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) -> f64 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %0 = memref.load %a[%i] : memref<?xf64>
    %1 = arith.addf %s, %0 : f64
    scf.yield %1 : f64
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %0 = memref.load %b[%i] : memref<?xf64>
    %1 = arith.addf %s, %0 : f64
    scf.yield %1 : f64
  }
  %r = arith.addf %p, %q : f64
  return %r : f64
}

// What LLVM makes better code of stays: other types, bounds that are known, and a
// factor that is a power of two; and so do the same memory twice and a few
// iterations.
// CHECK-LABEL: func.func @others
// CHECK-NOT: call
// CHECK: return
func.func @others(%a: memref<?xf64>, %b: memref<8xf64>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %x = arith.constant 7.0 : f64
  %y = arith.constant 2.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<8xf64>
  }
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %y, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// A guard in a nest has a place in the program.
// CHECK-LABEL: func.func @guards
// CHECK-NOT: call
// CHECK: return
func.func @guards(%a: memref<?xf64>, %n: index, %p: i1, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    loom.require %p, "memref.store", "index {0}" (%i : index)
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    loom.require %p, "memref.store", "index {0}" (%i : index)
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// Loops in a long loop are compared too, and those in a branch.
// CHECK-LABEL: func.func @inner
// CHECK: scf.for
// CHECK: call @[[INNER:loom_loop_[0-9]+]](
// CHECK: scf.if
// CHECK: call @[[INNER]](
func.func @inner(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %p: i1, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %0 = arith.negf %x : f64
      memref.store %0, %a[%i] : memref<?xf64>
    }
    scf.if %p {
      scf.for %i = %c0 to %n step %c1 {
        %0 = arith.negf %x : f64
        memref.store %0, %b[%i] : memref<?xf64>
      }
    }
  }
  return
}
