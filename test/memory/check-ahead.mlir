// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-place-memory --loom-version-nests | FileCheck %s

// The memory that is read ahead is not written: one check in front says so.
// Eight subscripts are loaded, each is checked by one comparison, and what they
// select is loaded. Then eight elements are stored; nothing is loaded again. The
// loop itself runs what is left, or all from the first block on in which a check
// fails.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[X:.*]]: memref<?xf64>, %[[AT:.*]]: memref<?xi64>, %[[Y:.*]]: memref<?xf64>, %[[N:.*]]: index
// CHECK: %[[EXTENT:.*]] = memref.dim %[[X]]
// CHECK: %[[APART:.*]] = arith.andi
// CHECK: %[[TRIPS:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[TRIPS]]
// CHECK: %[[STARTS:.*]] = arith.andi %[[APART]], %[[SOME]]
// CHECK: %[[RAN:.*]] = scf.if %[[STARTS]] -> (index) {
// CHECK: %[[LIMIT:.*]] = arith.andi %[[TRIPS]], %c-8
// CHECK: scf.while (%[[K:.*]] = %{{.*}}) : (index) -> index {
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[K]], %[[LIMIT]]
// CHECK: scf.if %[[MORE]] -> (i1, index) {
// CHECK: %[[FIRSTNUMBER:.*]] = memref.load %[[AT]][%[[K]]] {loom.alias_scopes
// CHECK: %[[FIRSTINDEX:.*]] = arith.index_cast %[[FIRSTNUMBER]]
// CHECK: %[[HOLDS:.*]] = arith.cmpi ult, %[[FIRSTINDEX]], %[[EXTENT]]
// CHECK-NEXT: scf.if %[[HOLDS]] -> (i1, index) {
// CHECK-NEXT: %[[ELEMENT:.*]] = memref.load %[[X]][%[[FIRSTINDEX]]] {loom.alias_scopes
// CHECK-COUNT-7: memref.load %[[AT]]
// CHECK: memref.load %[[X]]
// CHECK-NOT: memref.load
// CHECK: memref.store %[[ELEMENT]], %[[Y]][%[[K]]]
// CHECK-COUNT-7: memref.store
// CHECK: scf.yield %true
// CHECK: scf.yield %false, %[[K]]
// CHECK-NOT: loom.require
// CHECK: scf.condition
// CHECK: scf.for %[[I:.*]] = %[[RAN]] to %[[N]]
// CHECK: %[[NUMBER:.*]] = memref.load %[[AT]][%[[I]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[NUMBER]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX]], %[[EXTENT]]
// CHECK: loom.require %[[INSIDE]]
// CHECK: memref.load %[[X]][%[[INDEX]]] :
// CHECK: return
func.func @gather(%x: memref<?xf64>, %at: memref<?xi64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %extent = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %number = memref.load %at[%i] : memref<?xi64>
    %index = arith.index_cast %number : i64 to index
    %above = arith.cmpi sle, %c0, %index : index
    %below = arith.cmpi slt, %index, %extent : index
    %inside = arith.andi %above, %below : i1
    loom.require %inside, "memref.load", "index {0} is outside"(%index : index)
    %e = memref.load %x[%index] : memref<?xf64>
    memref.store %e, %y[%i] : memref<?xf64>
  }
  return
}

// A subscript that is the same in all iterations is loaded and checked once, if
// there is an iteration, and all of them run without checks.
// CHECK-LABEL: func.func @row
// CHECK-SAME: %[[X:.*]]: memref<?x64xf64>, %[[AT:.*]]: memref<?xi64>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[RAN:.*]] = scf.if %{{.*}} -> (index) {
// CHECK-NEXT: %[[NUMBER:.*]] = memref.load %[[AT]][%[[I]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[NUMBER]]
// CHECK: scf.if %{{.*}} -> (index) {
// CHECK: scf.for %[[J:.*]] =
// CHECK-NOT: memref.load %[[AT]]
// CHECK-NOT: loom.require
// CHECK: memref.load %[[X]][%[[INDEX]], %[[J]]]
// CHECK: } {loom.has_versions}
// CHECK: loom.require
// CHECK: return
func.func @row(%x: memref<?x64xf64>, %at: memref<?xi64>, %y: memref<?x64xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %extent = memref.dim %x, %c0 : memref<?x64xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %number = memref.load %at[%i] : memref<?xi64>
      %index = arith.index_cast %number : i64 to index
      %inside = arith.cmpi ult, %index, %extent : index
      loom.require %inside, "memref.load", "index {0} is outside"(%index : index)
      %e = memref.load %x[%index, %j] : memref<?x64xf64>
      memref.store %e, %y[%i, %j] : memref<?x64xf64>
    }
  }
  return
}

// A load may rely on the checks in front of it. Nothing is written, so that
// nothing has to be apart. Behind the last iteration, the variable of a loop in
// steps may be no number of 64 bits.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[A:.*]]: memref<?xi64>, %[[B:.*]]: memref<?xi64>, %[[N:.*]]: index
// CHECK-NOT: extract_aligned_pointer
// CHECK: scf.while
// CHECK: memref.load %[[A]]
// CHECK: scf.if
// CHECK: memref.load %[[B]]
// CHECK: scf.if
// CHECK: memref.load %[[A]]
// CHECK: %[[ALL:.*]] = arith.cmpi eq
// CHECK: %[[FIRST:.*]] = arith.select %[[ALL]], %[[N]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[N]]
func.func @chain(%a: memref<?xi64>, %b: memref<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %extent = memref.dim %b, %c0 : memref<?xi64>
  %r = scf.for %i = %c0 to %n step %c3 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %j = arith.index_cast %x : i64 to index
    %first = arith.cmpi ult, %j, %extent : index
    loom.require %first, "memref.load", "index {0} is outside"(%j : index)
    %y = memref.load %b[%j] : memref<?xi64>
    %k = arith.index_cast %y : i64 to index
    %second = arith.cmpi ult, %k, %extent : index
    loom.require %second, "memref.load", "index {0} is outside"(%k : index)
    %z = memref.load %a[%k] : memref<?xi64>
    %t = arith.addi %s, %z : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// Loops stay as they are where a check depends on what the loop carries, on
// memory that it writes, or on an operation that may be undefined, where they
// have calls in them, and where they have no check.
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
  return
}

// The extents of memory of open rank are those of the cast.
// CHECK-LABEL: func.func @open_rank
// CHECK: %[[Z:.*]] = memref.cast %{{.*}} : memref<*xi64> to memref<?xi64>
// CHECK: memref.extract_aligned_pointer_as_index %[[Z]]
// CHECK: scf.while
// CHECK: return
func.func @open_rank(%u: memref<*xi64>, %at: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.cast %u : memref<*xi64> to memref<?xi64>
  %extent = memref.dim %z, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %at[%i] : memref<?xi64>
    %k = arith.index_cast %x : i64 to index
    %inside = arith.cmpi ult, %k, %extent : index
    loom.require %inside, "memref.store", "index {0} is outside"(%k : index)
    memref.store %x, %z[%k] : memref<?xi64>
  }
  return
}

// Each index has one comparison, wherever its two limits are in a conjunction.
// A conjunction that two guards use is joined once, in both.
// CHECK-LABEL: func.func @limits
// CHECK-SAME: %[[I:[^:]*]]: index, %[[J:[^:]*]]: index, %[[P:[^:]*]]: i1
// CHECK-NOT: arith.cmpi sle
// CHECK-NOT: arith.cmpi slt
// CHECK: %[[A:.*]] = arith.cmpi ult, %[[J]], %[[D:.*]] : index
// CHECK-NEXT: %[[B:.*]] = arith.cmpi ult, %[[I]], %[[D]] : index
// CHECK-NEXT: %[[AP:.*]] = arith.andi %[[P]], %[[A]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[AP]], %[[B]]
// CHECK-NEXT: loom.require %[[BOTH]]
// CHECK-NEXT: %[[MORE:.*]] = arith.andi %[[BOTH]], %[[P]]
// CHECK-NEXT: loom.require %[[MORE]]
// CHECK-NEXT: return
func.func @limits(%x: memref<?xf64>, %i: index, %j: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?xf64>
  %i0 = arith.cmpi sle, %c0, %i : index
  %i1 = arith.cmpi slt, %i, %d : index
  %j0 = arith.cmpi sle, %c0, %j : index
  %j1 = arith.cmpi slt, %j, %d : index
  %a = arith.andi %i0, %p : i1
  %b = arith.andi %a, %j1 : i1
  %c = arith.andi %j0, %i1 : i1
  %all = arith.andi %b, %c : i1
  loom.require %all, "mine.op", "it fails"
  %more = arith.andi %all, %p : i1
  loom.require %more, "mine.op", "it fails"
  return
}

// Not joined: an upper limit that may be negative, a part of a disjunction.
// CHECK-LABEL: func.func @apart
// CHECK: arith.cmpi slt
// CHECK: arith.ori
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @apart(%i: index, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %least = arith.cmpi sle, %c0, %i : index
  %most = arith.cmpi slt, %i, %n : index
  %inside = arith.andi %least, %most : i1
  loom.require %inside, "mine.op", "it fails"
  %five = arith.cmpi slt, %i, %c5 : index
  %either = arith.ori %five, %p : i1
  %other = arith.andi %least, %either : i1
  loom.require %other, "mine.op", "it fails"
  return
}

// A limit counts with all its bits: these are negative.
// CHECK-LABEL: func.func @negative
// CHECK-NOT: arith.cmpi ult
// CHECK: return
func.func @negative(%i: i128, %j: i8, %k: i1) {
  %zero = arith.constant 0 : i128
  %far = arith.constant -18446744073709551616 : i128
  %least = arith.cmpi sle, %zero, %i : i128
  %most = arith.cmpi slt, %i, %far : i128
  %inside = arith.andi %least, %most : i1
  loom.require %inside, "mine.op", "it fails"
  %zero8 = arith.constant 0 : i8
  %far8 = arith.constant 200 : i8
  %least8 = arith.cmpi sle, %zero8, %j : i8
  %most8 = arith.cmpi slt, %j, %far8 : i8
  %inside8 = arith.andi %least8, %most8 : i1
  loom.require %inside8, "mine.op", "it fails"
  %false = arith.constant false
  %true = arith.constant true
  %least1 = arith.cmpi sle, %false, %k : i1
  %most1 = arith.cmpi slt, %k, %true : i1
  %inside1 = arith.andi %least1, %most1 : i1
  loom.require %inside1, "mine.op", "it fails"
  return
}

// One check in front of the loop, and one in each iteration of a block.
// CHECK-LABEL: func.func @once_and_each
// CHECK-SAME: %{{.*}}: memref<?x?xf64>, %[[AT:[^:]*]]: memref<?xi64>, %[[BT:[^:]*]]: memref<?xi64>
// CHECK: memref.load %[[AT]]
// CHECK: scf.if
// CHECK: scf.while
// CHECK-NOT: memref.load %[[AT]]
// CHECK-COUNT-8: memref.load %[[BT]]
// CHECK: scf.condition
// CHECK: scf.for
// CHECK: memref.load %[[AT]]
// CHECK: return
func.func @once_and_each(%x: memref<?x?xf64>, %at: memref<?xi64>, %bt: memref<?xi64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %u = memref.load %at[%c0] : memref<?xi64>
    %k = arith.index_cast %u : i64 to index
    %first = arith.cmpi ult, %k, %d : index
    loom.require %first, "memref.load", "index {0} is outside"(%k : index)
    %v = memref.load %bt[%i] : memref<?xi64>
    %l = arith.index_cast %v : i64 to index
    %second = arith.cmpi ult, %l, %d : index
    loom.require %second, "memref.load", "index {0} is outside"(%l : index)
    %e = memref.load %x[%k, %l] : memref<?x?xf64>
    memref.store %e, %y[%i] : memref<?xf64>
  }
  return
}
