// RUN: broadloom run %s --input=i64=0 --input=i64=9223372036854775807 --input=i64=4611686018427387904 | FileCheck %s
// RUN: broadloom run %s --input=i64=9223372036854775805 --input=i64=9223372036854775807 --input=i64=1 | FileCheck %s
// RUN: broadloom run %s --input=i64=-9223372036854775808 --input=i64=9223372036854775807 --input=i64=9223372036854775807 | FileCheck %s --check-prefix=THREE
// RUN: broadloom run %s --input=i64=3 --input=i64=3 --input=i64=2 | FileCheck %s --check-prefix=NONE

// rt-13: a loop ends before its bound, also where the next index wraps.
// CHECK: 2
// THREE: 3
// NONE: 0

func.func @main(%l: i64, %u: i64, %s: i64) -> i64 {
  %lower = arith.index_cast %l : i64 to index
  %upper = arith.index_cast %u : i64 to index
  %step = arith.index_cast %s : i64 to index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for %i = %lower to %upper step %step iter_args(%n = %zero) -> (i64) {
    %m = arith.addi %n, %one : i64
    scf.yield %m : i64
  }
  return %r : i64
}
