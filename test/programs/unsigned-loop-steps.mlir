// RUN: broadloom run %s --function=main --input=i8=0 --input=i8=-2 --input=i8=-56 | FileCheck %s
// RUN: broadloom run %s --function=main --input=i8=-2 --input=i8=-1 --input=i8=-1 | FileCheck %s --check-prefix=ONE
// RUN: not broadloom run %s --function=main --input=i8=0 --input=i8=-2 --input=i8=0 2>&1 | FileCheck %s --check-prefix=ZERO

// The step of an unsigned loop has no sign (rt-11): 200 is one, as an i8 too.
// CHECK: 2
// CHECK-NEXT: -56
// ONE: 1
// ONE-NEXT: -2
// ZERO: 'scf.for': the step of the loop is 0, expected at least 1
func.func @main(%lo: i8, %hi: i8, %st: i8) -> (i32, i8) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for unsigned %i = %lo to %hi step %st iter_args(%n = %c0, %l = %lo) -> (i32, i8) : i8 {
    %k = arith.addi %n, %c1 : i32
    scf.yield %k, %i : i32, i8
  }
  return %r#0, %r#1 : i32, i8
}

// Nor have its bounds, in a shape query either (abi-2).
// RUN: broadloom run %s --function=extent --input=i64=0 --input=i64=-1 --input=i64=4611686018427387904 | FileCheck %s --check-prefix=FOUR
// RUN: broadloom shapes %s --function=extent --input=i64=0 --input=i64=-1 --input=i64=4611686018427387904 | FileCheck %s --check-prefix=FOUR-SHAPE
// RUN: broadloom shapes %s --function=extent --input=i64=-1 --input=i64=0 --input=i64=1 | FileCheck %s --check-prefix=ZERO-SHAPE
// FOUR: [1. 1. 1. 1.]
// FOUR-SHAPE: 4
// ZERO-SHAPE: 0
func.func @extent(%lo: index, %hi: index, %st: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = scf.for unsigned %i = %lo to %hi step %st iter_args(%k = %c0) -> index {
    %m = arith.addi %k, %c1 : index
    scf.yield %m : index
  }
  %z = arith.constant 1.0 : f32
  %e = tensor.splat %z[%n] : tensor<?xf32>
  return %e : tensor<?xf32>
}
