// RUN: broadloom-opt %s --pass-pipeline="builtin.module(loom-mark-memory-functions,loom-place-memory,func.func(loom-erase-dead-stores))" | FileCheck %s

// A larger set overwrites it, and nothing is read: no check.
// CHECK-LABEL: func.func @filled_twice
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @filled_twice(%a: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  %y = arith.addf %x, %x : f64
  scf.for %i = %c0 to %n step %c1 {
    memref.store %y, %a[%i] : memref<?xf64>
  }
  return
}

// Where what is read overlaps, it runs; what the second nest has stored itself, it may read.
// CHECK-LABEL: func.func @initialized
// CHECK: memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[APART:.*]] = arith.ori
// CHECK: %[[OVERLAPS:.*]] = arith.xori %[[APART]]
// CHECK: scf.if %[[OVERLAPS]] {
// CHECK: scf.for
// CHECK: }
// CHECK: scf.for
func.func @initialized(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f64
  %m = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %j = %c0 to %k step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      %y = memref.load %b[%j] : memref<?xf64>
      memref.store %y, %a[%i, %j] : memref<?x?xf64>
      %z = memref.load %a[%i, %j] : memref<?x?xf64>
      memref.store %z, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// Two nests together.
// CHECK-LABEL: func.func @halves
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @halves(%a: memref<10xi32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c2 to %c10 step %c2 {
    memref.store %x, %a[%i] : memref<10xi32>
    %next = arith.addi %i, %c1 : index
    memref.store %y, %a[%next] : memref<10xi32>
  }
  scf.for %i = %c0 to %c10 step %c2 {
    memref.store %y, %a[%i] : memref<10xi32>
  }
  scf.for %i = %c3 to %c10 step %c2 {
    memref.store %x, %a[%i] : memref<10xi32>
  }
  return
}

// These stay: some elements are left; one is read; a check may fail; a call may read; the store depends on data.
// CHECK-LABEL: func.func @some_left
// CHECK-COUNT-2: scf.for
func.func @some_left(%a: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @one_read
// CHECK-COUNT-2: scf.for
func.func @one_read(%a: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.load %a[%i] : memref<?xf64>
    %z = arith.addf %y, %x : f64
    memref.store %z, %a[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @check_between
// CHECK-COUNT-2: scf.for
func.func @check_between(%a: memref<?xf64>, %x: f64, %fine: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  loom.require %fine, "cf.assert", "no"
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @call_between
// CHECK-COUNT-2: scf.for
func.func @call_between(%a: memref<?xf64>, %x: f64, %fine: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  call @some_left(%a, %x) : (memref<?xf64>, f64) -> ()
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @by_data
// CHECK-COUNT-2: scf.for
func.func @by_data(%a: memref<?xf64>, %flags: memref<?xi1>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %flag = memref.load %flags[%i] : memref<?xi1>
    scf.if %flag {
      memref.store %x, %a[%i] : memref<?xf64>
    }
  }
  return
}

// Nobody reads it.
// CHECK-LABEL: func.func @own
// CHECK-NOT: memref.store
// CHECK: return
func.func @own(%n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
  }
  memref.dealloc %a : memref<?xf64>
  return
}
