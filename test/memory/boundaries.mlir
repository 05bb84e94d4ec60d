// RUN: broadloom-opt %s --loom-read-boundaries --canonicalize --split-input-file --verify-diagnostics | FileCheck %s
// RUN: broadloom-opt %s --loom-read-boundaries=split=false --canonicalize --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=WHOLE

// A loop in three parts: in the middle one, indices are inside.
// CHECK-LABEL: func.func @line
// CHECK-NOT: loom.boundary
// CHECK: scf.for %{{.*}} = %c0 to %[[FROM:[^ ]*]] step
// CHECK: remsi
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO:[^ ]*]] step
// CHECK-NOT: {{cmpi|remsi|select}}
// CHECK: memref.store
// CHECK: scf.for %{{.*}} = %[[TO]] to %arg2 step
// CHECK: remsi
// WHOLE-LABEL: func.func @line
// WHOLE: scf.for
// WHOLE-COUNT-2: remsi
// WHOLE-NOT: scf.for
func.func @line(%m: memref<?xf32>, %o: memref<?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = loom.boundary reflect %m low[1] high[1] : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.addi %i, %c2 : index
    %x = memref.load %p[%i] : memref<?xf32>
    %y = memref.load %p[%k] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    memref.store %s, %o[%i] : memref<?xf32>
  }
  return
}

// -----

// A load outside of loops, by a value beyond the ends.
// CHECK-LABEL: func.func @one
// WHOLE-LABEL: func.func @one
// CHECK: %[[AT:.*]] = arith.subi %arg1, %c2
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK: scf.if %[[IN]]
// CHECK: memref.load %arg0[%[[AT]]]
// CHECK: scf.yield %arg2
func.func @one(%m: memref<?xf32>, %i: index, %c: f32) -> f32 attributes {loom.memory} {
  %p = loom.boundary constant %m with %c : f32 low[2] high[2] : memref<?xf32> to memref<?xf32>
  %x = memref.load %p[%i] : memref<?xf32>
  return %x : f32
}

// -----

// A nest that is a contraction is not split.
// CHECK-LABEL: func.func @convolution
// CHECK-COUNT-3: scf.for
// CHECK: arith.select
// CHECK-NOT: scf.for
func.func @convolution(%m: memref<?x?xf32>, %w: memref<3x?xf32>, %o: memref<?x?xf32>, %n: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = loom.boundary wrap %m low[1, 0] high[1, 0] : memref<?x?xf32> to memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c step %c1 {
      scf.for %k = %c0 to %c3 step %c1 {
        %at = arith.addi %i, %k : index
        %x = memref.load %p[%at, %c0] : memref<?x?xf32>
        %y = memref.load %w[%k, %j] : memref<3x?xf32>
        %z = memref.load %o[%i, %j] : memref<?x?xf32>
        %q = arith.mulf %x, %y {loom.fastmath = #arith.fastmath<fast>} : f32
        %s = arith.addf %z, %q {loom.fastmath = #arith.fastmath<fast>} : f32
        memref.store %s, %o[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// A loop with a name stays, and so does one around it.
// CHECK-LABEL: func.func @named
// CHECK-COUNT-2: scf.for
// CHECK: remsi
// CHECK-NOT: scf.for
// CHECK: {loom.loop = "j"}
func.func @named(%m: memref<?x?xf32>, %o: memref<?x?xf32>, %n: index, %k: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = loom.boundary reflect %m low[1, 1] high[1, 1] : memref<?x?xf32> to memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %x = memref.load %p[%i, %j] : memref<?x?xf32>
      memref.store %x, %o[%i, %j] : memref<?x?xf32>
    } {loom.loop = "j"}
  }
  return
}

// -----

// No sum is computed of the least of all numbers.
// CHECK-LABEL: func.func @least
// CHECK: scf.for
// CHECK: remsi
// CHECK-NOT: scf.for
func.func @least(%m: memref<?xf32>, %o: memref<?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -9223372036854775808 : index
  %p = loom.boundary wrap %m low[1] high[1] : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.addi %i, %least : index
    %at = arith.subi %below, %least : index
    %x = memref.load %p[%at] : memref<?xf32>
    %from = arith.muli %i, %least : index
    %y = memref.load %p[%from] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    memref.store %s, %o[%i] : memref<?xf32>
  }
  return
}

// -----

// Middle parts are split first, and then parts at the ends, as far as few
// operations are copied: there would be 39 loops.
// CHECK-LABEL: func.func @cube
// CHECK-COUNT-35: scf.for
// CHECK-NOT: scf.for
func.func @cube(%m: memref<?x?x?xf32>, %o: memref<?x?x?xf32>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = loom.boundary wrap %m low[1, 1, 1] high[1, 1, 1] : memref<?x?x?xf32> to memref<?x?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %0 = memref.load %p[%i, %j, %k] : memref<?x?x?xf32>
        %1 = arith.addf %0, %0 : f32
        %2 = arith.addf %1, %1 : f32
        %3 = arith.addf %2, %2 : f32
        %4 = arith.addf %3, %3 : f32
        %5 = arith.addf %4, %4 : f32
        %6 = arith.addf %5, %5 : f32
        %7 = arith.addf %6, %6 : f32
        %8 = arith.addf %7, %7 : f32
        %9 = arith.addf %8, %8 : f32
        %10 = arith.addf %9, %9 : f32
        %11 = arith.addf %10, %10 : f32
        %12 = arith.addf %11, %11 : f32
        %13 = arith.addf %12, %12 : f32
        %14 = arith.addf %13, %13 : f32
        %15 = arith.addf %14, %14 : f32
        %16 = arith.addf %15, %15 : f32
        %17 = arith.addf %16, %16 : f32
        %18 = arith.addf %17, %17 : f32
        %19 = arith.addf %18, %18 : f32
        %20 = arith.addf %19, %19 : f32
        %21 = arith.addf %20, %20 : f32
        %22 = arith.addf %21, %21 : f32
        %23 = arith.addf %22, %22 : f32
        %24 = arith.addf %23, %23 : f32
        %25 = arith.addf %24, %24 : f32
        %26 = arith.addf %25, %25 : f32
        memref.store %26, %o[%i, %j, %k] : memref<?x?x?xf32>
      }
    }
  }
  return
}

// -----

func.func @copy(%m: memref<8xf32>, %o: memref<10xf32>) attributes {loom.memory} {
  %p = loom.boundary wrap %m low[1] high[1] : memref<8xf32> to memref<10xf32>
  // expected-error@+1 {{'memref.copy' op reads a boundary of memory in another way than by loads; run 'loom-linalg-to-loops' first}}
  memref.copy %p, %o : memref<10xf32> to memref<10xf32>
  return
}

// -----

// In the parts at the ends, loops around others are not split once more for an
// index that a loop around them has been split for.
// CHECK-LABEL: func.func @window
// CHECK-COUNT-9: scf.for
// CHECK-NOT: scf.for
func.func @window(%m: memref<?x?xf32>, %o: memref<?x?xf32>, %n: index, %k: index, %c: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = loom.boundary reflect %m low[1, 0] high[1, 0] : memref<?x?xf32> to memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %u = %c0 to %k step %c1 {
      %at = arith.addi %i, %u : index
      scf.for %d = %c0 to %c step %c1 {
        %x = memref.load %p[%at, %d] : memref<?x?xf32>
        memref.store %x, %o[%i, %d] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Elements between others: no loop is cut, and an index tells by its remainder.
// CHECK-LABEL: func.func @interior
// CHECK: arith.muli
// CHECK: scf.for
// CHECK: arith.remui
// CHECK: scf.if
// CHECK: memref.load %arg0
// CHECK-NOT: scf.for
// WHOLE-LABEL: func.func @interior
func.func @interior(%m: memref<?xf32>, %o: memref<?xf32>, %n: index, %c: f32) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = loom.boundary constant %m with %c : f32 low[0] high[0] interior [2] : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %p[%i] : memref<?xf32>
    memref.store %x, %o[%i] : memref<?xf32>
  }
  return
}
