// RUN: broadloom-opt %s --loom-version-nests | FileCheck %s

// A loop at an end of a boundary has few iterations, and one version.
// CHECK-LABEL: func.func @at_an_end
// CHECK-NOT: scf.if
// CHECK: } {loom.end}
// CHECK: scf.if
// CHECK: } else {
// CHECK: return
func.func @at_an_end(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      memref.store %x, %b[%i, %j] : memref<?x?xf64>
    }
  } {loom.end}
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      memref.store %x, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
