// Accesses are constraints; those that bounds prove need no guard (mem-2), views
// lie inside (mem-3), copies agree (mem-4), and sizes are not negative (mem-5).

// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-lower-affine --loom-refine-shapes --loom-insert-guards | FileCheck %s

// CHECK-LABEL: func.func @proved
// CHECK-SAME: attributes {loom.memory}
// CHECK-NOT: loom.require
// CHECK: return
func.func @proved(%a: memref<?x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %x = memref.load %a[%i, %c7] : memref<?x8xf32>
    %y = arith.addf %s, %x : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// What depends on arguments alone is checked first.
// CHECK-LABEL: func.func @first
// CHECK: loom.require %{{.*}}, "memref.load", "index {0} is outside axis 0 of argument 0, whose extent is {1}: arg1 = {0} (argument 1 of 'first')"
// CHECK: memref.store
// CHECK: memref.load
func.func @first(%a: memref<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    memref.store %one, %a[%c0] : memref<?xf32>
  }
  %x = memref.load %a[%i] : memref<?xf32>
  return %x : f32
}

// A nest whose bounds are its memory's needs nothing; one that goes to a number
// has one condition in front, and its checks alone behind that.
// CHECK-LABEL: func.func @nest
// CHECK: scf.if
// CHECK: scf.for
// CHECK: loom.require %{{.*}}, "affine.store"
// CHECK-NOT: memref.store
// CHECK: }
// CHECK: scf.for
// CHECK-NOT: loom.require
// CHECK: memref.store %{{.*}} {loom.checked
func.func @nest(%a: memref<?xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xf32>
  }
  return
}

// What depends on data is checked in the loop. The extent is read in front of
// the loops in which the memory is the same.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32>, %[[AT:[a-z0-9]+]]: memref<4x4xindex>
// CHECK: %[[EXTENT:.*]] = memref.dim %[[X]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: memref.dim
// CHECK: loom.require %{{.*}}, "memref.load", "{{.*}}"(%{{.*}}, %[[EXTENT]] : index, index)
func.func @gather(%x: memref<?xf32>, %at: memref<4x4xindex>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 4 iter_args(%s = %zero) -> (f32) {
    %t = affine.for %j = 0 to 4 iter_args(%u = %s) -> (f32) {
      %k = affine.load %at[%i, %j] : memref<4x4xindex>
      %y = memref.load %x[%k] : memref<?xf32>
      %v = arith.addf %u, %y : f32
      affine.yield %v : f32
    }
    affine.yield %t : f32
  }
  return %r : f32
}

// Memory that is made in a loop has its extent there.
// CHECK-LABEL: func.func @made
// CHECK-NOT: memref.dim
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: loom.require %{{.*}}, "memref.load"
func.func @made(%sizes: memref<4xindex>, %at: memref<4xindex>) {
  affine.for %i = 0 to 4 {
    %n = affine.load %sizes[%i] : memref<4xindex>
    %x = memref.alloc(%n) : memref<?xf32>
    %k = affine.load %at[%i] : memref<4xindex>
    %y = memref.load %x[%k] : memref<?xf32>
    memref.store %y, %x[%k] : memref<?xf32>
    memref.dealloc %x : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @views
// CHECK: loom.require %{{.*}}, "memref.alloc", "axis 0 has extent {0}, expected at least 0"
// CHECK: loom.require %{{.*}}, "memref.subview", "the view takes {0} elements of axis 0 of the result of 'memref.alloc' at {{.*}} from {1} on, but the extent is {2}: 4 elements from arg2 on with arg2 = {1} (argument 2 of 'views')"
// CHECK: loom.require %{{.*}}, "memref.copy"
func.func @views(%a: memref<?xf32>, %n: index, %o: index) {
  %m = memref.alloc(%n) : memref<?xf32>
  %v = memref.subview %m[%o] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %a, %v : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.dealloc %m : memref<?xf32>
  return
}
