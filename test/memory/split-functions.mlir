// Functions of many loops become functions of few, and compute what they did
// (loom-split-functions, decision 76).

// RUN: broadloom-opt %s --loom-split-functions="longest=12 piece=7" | FileCheck %s
// RUN: broadloom-opt %s --loom-split-functions | FileCheck %s --check-prefix=SHORT
// SHORT-NOT: loom_loop_

// Constants are copied, extents that are needed behind a piece stay in front of
// it, and what a piece loads or sums up is its result. Other operations stay.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?xf32>, %[[N:[^:]*]]: index)
// CHECK:         %[[D:.*]] = memref.dim %[[A]]
// CHECK:         %[[M:.*]] = arith.addi %[[D]], %[[N]]
// CHECK-NEXT:    %[[S:.*]] = call @loom_loop_0(%[[A]], %[[N]]) : (memref<?xf32>, index) -> f32
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(%[[M]])
// CHECK-NEXT:    call @loom_loop_1(%[[S]], %[[B]], %[[M]]) : (f32, memref<?xf32>, index) -> ()
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return %[[S]]
// CHECK:       func.func private @loom_loop_1(
// CHECK-SAME:    attributes {loom.memory, no_inline, passthrough = ["noinline", "loom-loops"]}
// CHECK-DAG:     arith.constant 0 : index
// CHECK-DAG:     arith.constant 1 : index
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK:       func.func private @loom_loop_0(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         return %[[SUM]]
func.func @main(%a: memref<?xf32>, %n: index) -> f32 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %d = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.addi %d, %n : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %t, %x : f32
    scf.yield %y : f32
  }
  %b = memref.alloc(%m) : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    %x = arith.addf %s, %s : f32
    %y = arith.addf %x, %s : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  memref.dealloc %b : memref<?xf32>
  return %s : f32
}

// Loops in a loop; a piece ends behind the first loop with enough operations.
// What finds a failing access is a function that is not optimised.
// CHECK-LABEL: func.func @inner(
// CHECK:         scf.for
// CHECK-NOT:       scf.
// CHECK:           call @loom_loop_[[FIRST:[0-9]+]]
// CHECK-NOT:       scf.
// CHECK:           call @loom_loop_[[SECOND:[0-9]+]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK:       func.func private @loom_loop_[[SECOND]](
// CHECK-NOT:   func.func
// CHECK:         scf.for
// CHECK-NOT:   func.func
// CHECK:         scf.for
// CHECK:       func.func private @loom_loop_[[FIRST]](
// CHECK:         scf.if
// CHECK-NEXT:      func.call @loom_loop_[[RARE:[0-9]+]](
// CHECK-NEXT:    }
// CHECK:         scf.for
// CHECK:       func.func private @loom_loop_[[RARE]](
// CHECK-SAME:    passthrough = ["noinline", "loom-loops", "cold", "optnone"]
// CHECK:         loom.require
func.func @inner(%a: memref<?xf32>, %n: index, %fails: i1) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %k = %c0 to %n step %c1 {
    scf.if %fails {
      scf.for %i = %c0 to %n step %c1 {
        %d = memref.dim %a, %c0 : memref<?xf32>
        %inside = arith.cmpi slt, %i, %d : index
        loom.require %inside, "memref.store", "index is outside"
      }
    } {loom.finds_failure}
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
      memref.store %zero, %a[%i] : memref<?xf32>
    }
  }
  return
}

// A function that calls itself is told by its name where the stack ends.
// CHECK-LABEL: func.func @recursive(
// CHECK:         scf.for
// CHECK:           call @recursive
// CHECK:         scf.for
// CHECK:           call @recursive
func.func @recursive(%a: memref<?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    func.call @recursive(%a, %i) : (memref<?xf32>, index) -> ()
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    memref.store %zero, %a[%i] : memref<?xf32>
    func.call @recursive(%a, %i) : (memref<?xf32>, index) -> ()
  }
  return
}
