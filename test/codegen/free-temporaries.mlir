// RUN: broadloom-opt %s --loom-free-temporaries --split-input-file | FileCheck %s

// A temporary is released behind the last operation that reads it, under
// whatever name.
// CHECK-LABEL: func.func @chain
// CHECK: %[[T:.*]] = loom.run @p(%{{.*}})
// CHECK: %[[C:.*]] = memref.cast %[[T]]
// CHECK: %[[U:.*]] = loom.run @p(%[[C]]) slots [-2]
// CHECK-NEXT: loom.release %[[T]]
// CHECK-NEXT: %[[V:.*]] = loom.run @p(%[[U]])
// CHECK-NEXT: loom.release %[[U]]
// CHECK-NEXT: return %[[V]]
func.func @chain(%a: memref<?xf32>) -> memref<?xf32> {
  %t = loom.run @p(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %c = memref.cast %t : memref<?xf32> to memref<4xf32>
  %u = loom.run @p(%c) slots [-1] : (memref<4xf32>) -> memref<?xf32>
  %v = loom.run @p(%u) slots [0] : (memref<?xf32>) -> memref<?xf32>
  return %v : memref<?xf32>
}

// -----

// What nobody reads is released at once.
// CHECK-LABEL: func.func @unused
// CHECK: %[[T:.*]] = loom.alloc
// CHECK-NEXT: loom.release %[[T]]
func.func @unused() {
  %t = loom.alloc() : memref<4xf32>
  return
}

// -----

// An argument that is returned gets the reference that a caller expects of any
// result; what is returned twice needs two.
// CHECK-LABEL: func.func private @results
// CHECK: %[[T:.*]] = loom.alloc
// CHECK-NEXT: loom.retain %arg0
// CHECK-NEXT: loom.retain %[[T]]
// CHECK-NEXT: loom.retain %[[T]]
// CHECK-NEXT: loom.release %[[T]]
// CHECK-NEXT: return %arg0, %[[T]], %[[T]]
func.func private @results(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %t = loom.alloc() : memref<4xf32>
  return %a, %t, %t : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// A branch passes its own buffer on as it is, and one of others with a
// reference; what the operation gives is released as any other.
// CHECK-LABEL: func.func @branch
// CHECK: %[[R:.*]] = scf.if
// CHECK-NEXT: %[[T:.*]] = loom.alloc
// CHECK-NEXT: scf.yield %[[T]]
// CHECK: else
// CHECK-NEXT: loom.retain %arg1
// CHECK-NEXT: scf.yield %arg1
// CHECK: memref.load %[[R]]
// CHECK-NEXT: loom.release %[[R]]
func.func @branch(%c: i1, %a: memref<4xf32>, %i: index) -> f32 {
  %r = scf.if %c -> memref<4xf32> {
    %t = loom.alloc() : memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// -----

// Each iteration of a loop gets a reference, and gives up that of the iteration before.
// CHECK-LABEL: func.func @loop
// CHECK: loom.retain %arg0
// CHECK-NEXT: %[[R:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// CHECK-NEXT: %[[Y:.*]] = loom.run @p(%[[X]])
// CHECK-NEXT: loom.release %[[X]]
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK: return %[[R]]
func.func @loop(%a: memref<?xf32>, %n: index) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> memref<?xf32> {
    %y = loom.run @p(%x) slots [-1] : (memref<?xf32>) -> memref<?xf32>
    scf.yield %y : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// What goes to another block is freed with the call.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT: loom.release
func.func @blocks(%c: i1, %i: index) -> f32 {
  %t = loom.alloc() : memref<4xf32>
  cf.cond_br %c, ^one, ^two
^one:
  %x = memref.load %t[%i] : memref<4xf32>
  return %x : f32
^two:
  %z = arith.constant 0.0 : f32
  return %z : f32
}

// -----

// A launch that reads a buffer last may write its temporary over it: not a
// result of the function, not one with elements of another size, and not over
// what is read later or passed on.
// CHECK-LABEL: func.func @in_place
// CHECK: loom.run @p(%arg0) slots [-1]
// CHECK: loom.run @p(%arg0, %{{.*}}) slots [-3]
// CHECK: loom.run @p(%{{.*}}) slots [-1]
// CHECK: loom.run @p(%{{.*}}) slots [-1]
// CHECK: loom.run @p(%{{.*}}) slots [-2]
// CHECK: loom.run @p(%{{.*}}) slots [0]
func.func @in_place(%a: memref<?xf32>) -> memref<?xf32> {
  %t = loom.run @p(%a) slots [-1] : (memref<?xf32>) -> memref<?xf32>
  %u = loom.run @p(%a, %t) slots [-1] : (memref<?xf32>, memref<?xf32>) -> memref<?xf32>
  %half = loom.run @p(%u) slots [-1] : (memref<?xf32>) -> memref<?xf16>
  %early = loom.run @p(%half) slots [-1] : (memref<?xf16>) -> memref<?xf16>
  %late = loom.run @p(%half) slots [-1] : (memref<?xf16>) -> memref<?xf16>
  %r = loom.run @p(%early, %late) slots [0] : (memref<?xf16>, memref<?xf16>) -> memref<?xf32>
  return %r : memref<?xf32>
}

// The list of extents is no name of the buffer whose shape changes.
// CHECK-LABEL: func.func @reshapeInABranch
// CHECK: scf.if
// CHECK:   %[[S:.*]] = loom.alloc() : memref<1xindex>
// CHECK:   %[[V:.*]] = memref.reshape %[[B:.*]](%[[S]])
// CHECK:   loom.release %[[S]]
// CHECK:   loom.retain %[[V]]
// CHECK:   scf.yield %[[V]]
func.func @reshapeInABranch(%c: i1, %n: index) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %b = loom.alloc(%n) : memref<?x2xf32>
  %r = scf.if %c -> memref<?xf32> {
    %s = loom.alloc() : memref<1xindex>
    memref.store %n, %s[%zero] : memref<1xindex>
    %v = memref.reshape %b(%s) : (memref<?x2xf32>, memref<1xindex>) -> memref<?xf32>
    scf.yield %v : memref<?xf32>
  } else {
    %e = loom.alloc(%n) : memref<?xf32>
    scf.yield %e : memref<?xf32>
  }
  return %r : memref<?xf32>
}
