// RUN: not broadloom check %s --function=counted 2>&1 | FileCheck %s --check-prefix=COUNTED
// RUN: broadloom check %s --function=parallel | FileCheck %s --check-prefix=PARALLEL
// RUN: broadloom check %s --function=once | FileCheck %s --check-prefix=ONCE

// Upstream's verifier accepts loops that never get on.
// COUNTED: affine-loop-steps.mlir:[[# @LINE + 3]]:3: error: 'affine.for': the step of the loop is 0, expected at least 1
func.func @counted(%a: memref<4xf64>) {
  %x = arith.constant 1.0 : f64
  affine.for %i = 0 to 4 step 0 {
    affine.store %x, %a[%i] : memref<4xf64>
  }
  return
}

// PARALLEL: affine.parallel {{.*}}affine-loop-steps.mlir:[[# @LINE + 4]]:3
// PARALLEL-NEXT: run-time never "the step of the loop is 0, expected at least 1"
func.func @parallel(%a: memref<4x4xf64>) {
  %x = arith.constant 1.0 : f64
  affine.parallel (%i, %j) = (0, 0) to (4, 4) step (1, 0) {
    affine.store %x, %a[%i, %j] : memref<4x4xf64>
  }
  return
}

// ONCE-NOT: error
func.func @once(%a: memref<4xf64>) {
  %x = arith.constant 1.0 : f64
  affine.for %i = 0 to 4 step 5 {
    affine.store %x, %a[%i] : memref<4xf64>
  }
  return
}
