// The loops that tell what a library's function accesses run nothing, so that they
// are none of the program's, and functions that only tell effects are not listed.
// RUN: broadloom check %s | FileCheck %s
// CHECK: all {{[0-9]+}} constraints are checked when it runs
// CHECK-NOT: effects/
// CHECK-NOT: function told_
// CHECK: function cblas_ddot
// CHECK: argument 'n'*|argument 'incx'|
// CHECK-NOT: effects/
// CHECK-NOT: function told_
// CHECK-LABEL: {{^}}loops
// CHECK-EMPTY:
// CHECK-NEXT: affine.for {{.*}}check-library-loops.mlir:[[@LINE+18]]:3
// CHECK-NEXT: in order
// CHECK-NOT: affine.for
// CHECK-LABEL: by operation
func.func private @cblas_ddot(i32, memref<?xf64>, i32, memref<?xf64>, i32) -> f64
func.func private @told(index, memref<?xf64>) attributes {loom.effects = @told_effects}
func.func private @told_effects(%n: index, %x: memref<?xf64>) {
  call @told_more(%n, %x) : (index, memref<?xf64>) -> ()
  return
}
func.func private @told_more(%n: index, %x: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf64>
  }
  return
}
func.func @main(%n: i32, %x: memref<?xf64>, %y: memref<?xf64>, %by: i32, %m: index) {
  call @told(%m, %x) : (index, memref<?xf64>) -> ()
  affine.for %i = 0 to 10 {
    %r = func.call @cblas_ddot(%n, %x, %by, %y, %by) : (i32, memref<?xf64>, i32, memref<?xf64>, i32) -> f64
    affine.store %r, %y[0] : memref<?xf64>
  }
  return
}

// A loop whose iterations decide about the next one is listed too.
// RUN: broadloom check %s --function=search | FileCheck %s --check-prefix=WHILE
// WHILE-LABEL: {{^}}loops
// WHILE: scf.while {{.*}}:[[@LINE+6]]:8
// WHILE-NEXT: in order
// WHILE-NEXT: because each iteration decides whether there is another one
func.func @search(%x: memref<?xf64>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %goes = arith.cmpi slt, %i, %n : index
    scf.condition(%goes) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%i] : memref<?xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return %r : index
}
