// RUN: broadloom-opt %s --loom-mark-memory-functions --loom-normalize-memory --loom-guard-nests --loom-unmark-memory-functions --split-input-file | FileCheck %s --implicit-check-not=loom.checked --implicit-check-not=loom.finds_failure --implicit-check-not=loom.memory

// What passes note goes; the name of a loop, and what a declaration says, are the program's.
// CHECK: func.func private @told(index, memref<?xf64>) attributes {loom.convention = "pointers"}
func.func private @told(%n: index, %x: memref<?xf64>) attributes {loom.convention = "pointers"}

// CHECK-LABEL: func.func @main
// CHECK:         affine.for
// CHECK:           affine.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xf64>
// CHECK:         } {loom.loop = "fill"}
func.func @main(%x: memref<?xf64>, %n: index) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.store %zero, %x[%i] : memref<?xf64>
  } {loom.loop = "fill"}
  return
}
