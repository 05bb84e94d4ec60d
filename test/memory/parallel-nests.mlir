// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-place-memory --loom-parallelize-nests --loom-version-nests | FileCheck %s
// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-place-memory --loom-mark-sites --loom-linalg-to-loops --loom-parallelize-nests | FileCheck %s --check-prefix=SITES

// The outermost loop, where the memory is apart. There is no third version.
// CHECK-LABEL: func.func @gemm
// CHECK: arith.cmpi ult
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK: call @[[GEMM:loom_loop_[0-9]+]]
// CHECK-SAME: loom.parallel_loop
// CHECK: } else {
// CHECK: scf.for
// CHECK: loom.has_versions
// CHECK-NOT: loom.noalias
// CHECK: return
// CHECK: func.func private @[[GEMM]](%[[BEGIN:.*]]: index, %[[END:.*]]: index, %{{.*}}: index, %{{.*}}: index
// CHECK: llvm.intr.experimental.noalias.scope.decl
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: loom.noalias
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

// A sum of integers: each part adds its own to that of all.
// CHECK-LABEL: func.func @sum
// CHECK: %[[SLOT:.*]] = memref.alloca() {loom.stack_slot} : memref<i32>
// CHECK: memref.store %{{.*}}, %[[SLOT]][]
// CHECK: call @[[SUM:loom_loop_[0-9]+]]({{.*}}%[[SLOT]])
// CHECK: memref.load %[[SLOT]][]
// CHECK: func.func private @[[SUM]]
// CHECK: %[[PART:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i32
// CHECK: memref.generic_atomic_rmw
// CHECK: arith.addi %{{.*}}, %[[PART]]
func.func @sum(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (i32) {
    %y = memref.load %a[%i] : memref<?xi32>
    memref.store %y, %b[%i] : memref<?xi32>
    %t = arith.addi %s, %y : i32
    scf.yield %t : i32
  }
  return %r : i32
}

// These are in order: iterations meet; a sum of floats; a step that only the
// call tells; too little work.
// CHECK-LABEL: func.func @none
// CHECK-NOT: loom.parallel_loop
// CHECK: return
func.func @none(%a: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %y = memref.load %a[%j] : memref<?xf32>
    memref.store %y, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %n {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %c9 step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %y = memref.load %a[%i] : memref<?xf32>
    %t = arith.addf %s, %y : f32
    memref.store %x, %a[%i] : memref<?xf32>
    scf.yield %t : f32
  }
  return %r : f32
}

// A function that is called: its column is any, its row is the loop's, and its
// guard is decided in front of the loop.
// CHECK-LABEL: func.func @rows
// CHECK: call @loom_loop_
// CHECK-SAME: loom.parallel_loop
// CHECK: } else {
// CHECK: call @row
func.func @rows(%a: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @row(%a, %i, %x) : (memref<?x?xf32>, index, f32) -> ()
  }
  return
}

func.func private @row(%a: memref<?x?xf32>, %i: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %inside = arith.cmpi slt, %i, %m : index
  loom.require %inside, "memref.store", "outside"
  cf.br ^head(%c0 : index)
^head(%j: index):
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %a[%i, %j] : memref<?x?xf32>
  %next = arith.addi %j, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}

// The function may have parallel loops itself.
// CHECK-LABEL: func.func private @fillRow
// CHECK: call @loom_loop_
// CHECK-SAME: loom.parallel_loop
// CHECK-LABEL: func.func @callsRows
// CHECK: call @loom_loop_
// CHECK-SAME: loom.parallel_loop
// CHECK: } else {
// CHECK: call @fillRow
func.func private @fillRow(%a: memref<?x?xf32>, %i: index, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    memref.store %x, %a[%i, %j] : memref<?x?xf32>
  }
  return
}

func.func @callsRows(%a: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @fillRow(%a, %i, %n, %x) : (memref<?x?xf32>, index, index, f32) -> ()
  }
  return
}

// Without its function's guard, a call stays in order: the row after this one.
// CHECK-LABEL: func.func @nextRows
// CHECK-NOT: loom.parallel_loop
// CHECK: return
func.func @nextRows(%a: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @nextRow(%a, %i) : (memref<?x?xf32>, index) -> ()
  }
  return
}

func.func private @nextRow(%a: memref<?x?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %next = arith.addi %i, %c1 : index
  %x = memref.load %a[%i, %c0] : memref<?x?xf32>
  memref.store %x, %a[%next, %c0] : memref<?x?xf32>
  return
}

// What a function that the loop calls adds up is not taken apart, also where
// the call runs at most once.
// CHECK-LABEL: func.func private @addTo
// CHECK-LABEL: func.func @addsOnce
// CHECK: scf.for
// CHECK: call @addTo
func.func private @addTo(%s: memref<i32>, %x: i32) {
  %v = memref.load %s[] : memref<i32>
  %w = arith.addi %v, %x : i32
  memref.store %w, %s[] : memref<i32>
  return
}

func.func @addsOnce(%s: memref<i32>, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %end = arith.minsi %n, %c1 : index
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    func.call @addTo(%s, %x) : (memref<i32>, i32) -> ()
  }
  return
}

// Where memory that is only read is read does not matter: the middle rows of an
// image that goes on beyond its ends, of which places are computed.
// CHECK-LABEL: func.func @places
// CHECK: loom.parallel_loop
func.func @places(%a: memref<?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %place = arith.remsi %j, %m : index
      %x = memref.load %a[%place] : memref<?xf32>
      memref.store %x, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// A copy is loops over its elements in the function, and as it was elsewhere.
// CHECK-LABEL: func.func @copies
// CHECK: call @[[COPIES:loom_loop_[0-9]+]]
// CHECK-SAME: loom.parallel_loop
// CHECK: } else {
// CHECK: memref.copy
// CHECK: return
// CHECK: func.func private @[[COPIES]]
// CHECK-NOT: memref.copy
// CHECK: memref.load
// CHECK-SAME: loom.noalias
// CHECK: memref.store
// CHECK-SAME: loom.noalias
// CHECK-NOT: memref.copy
// CHECK: return
func.func @copies(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %x, %y : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  }
  return
}

// Operations of linalg and copies have no sites on threads, so that a profile is
// of the same loops.
// SITES-LABEL: func.func @copies(
// SITES: call @[[COPIES:loom_loop_[0-9]+]]
// SITES-SAME: loom.parallel_loop
// SITES: } else {
// SITES: loom.site {{[0-9]+}}
// SITES-NEXT: memref.copy
// SITES-NEXT: loom.site -1
// SITES: func.func private @[[COPIES]]
// SITES-NOT: loom.site
// SITES: return
// SITES-LABEL: func.func @fills(
// SITES: call @[[FILLS:loom_loop_[0-9]+]]
// SITES-SAME: loom.parallel_loop
// SITES: func.func private @[[FILLS]]
// SITES-NOT: loom.site
// SITES: return
func.func @fills(%b: memref<?x?xf32>, %x: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = memref.subview %b[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%y : memref<?xf32, strided<[1], offset: ?>>)
  }
  return
}

// Copies to one row, copies of rows that others write, a copy that may read what it writes, one of columns, and
// one of short rows.
// CHECK-LABEL: func.func @copies_in_order
// CHECK-NOT: loom.parallel_loop
// CHECK: return
func.func @copies_in_order(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %b[0, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %x, %y : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %x = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %a[%j, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %x, %y : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %y = memref.subview %a[%i, 1] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %x, %y : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [%m, 2] [1, 2] : memref<?x?xf32> to memref<?x2xf32, strided<[?, 2], offset: ?>>
    %y = memref.subview %b[%i, 0] [%m, 2] [1, 2] : memref<?x?xf32> to memref<?x2xf32, strided<[?, 2], offset: ?>>
    memref.copy %x, %y : memref<?x2xf32, strided<[?, 2], offset: ?>> to memref<?x2xf32, strided<[?, 2], offset: ?>>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [%m, 63] [1, 1] : memref<?x?xf32> to memref<?x63xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %b[%i, 0] [%m, 63] [1, 1] : memref<?x?xf32> to memref<?x63xf32, strided<[?, 1], offset: ?>>
    memref.copy %x, %y : memref<?x63xf32, strided<[?, 1], offset: ?>> to memref<?x63xf32, strided<[?, 1], offset: ?>>
  }
  return
}
