// RUN: broadloom run %s --function=apply --input=i64=-7 --input=i64=3 | FileCheck %s --check-prefix=APPLY
// RUN: not broadloom run %s --function=apply --input=i64=-7 --input=i64=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not broadloom run %s --function=apply --input=i64=-7 --input=i64=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not broadloom shapes %s --function=apply --input=i64=-7 --input=i64=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: broadloom run %s --function=extremes --input=i64=7 --input=i64=2 | FileCheck %s --check-prefix=EXTREMES
// RUN: not broadloom run %s --function=extremes --input=i64=7 --input=i64=-1 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: broadloom run %s --function=loops --input=i64=10 --input=i64=3 | FileCheck %s --check-prefix=LOOPS
// RUN: not broadloom run %s --function=loops --input=i64=10 --input=i64=0 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: broadloom run %s --function=branch --input=i64=9 --input=i64=3 --input=i1=1 | FileCheck %s --check-prefix=YES
// RUN: not broadloom run %s --function=branch --input=i64=9 --input=i64=0 --input=i1=1 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: broadloom run %s --function=branch --input=i64=9 --input=i64=0 --input=i1=0 | FileCheck %s --check-prefix=NO
// RUN: broadloom run %s --function=least --input=i64=-9223372036854775808 --input=i64=3 | FileCheck %s --check-prefix=LEAST
// RUN: broadloom check %s | FileCheck %s --check-prefix=CHECK

// What an affine map divides by is at least 1 (rt-11), wherever a map is
// computed, and a map that is not reached fails nothing (rt-1).

// CHECK: 1 <= b, else "'d0 floordiv s0' divides by b, expected at least 1"

// APPLY: -3
// APPLY-NEXT: 2
// APPLY-NEXT: -2
// ZERO: affine-divisors.mlir:[[@LINE+3]]:8: 'affine.apply': 'd0 floordiv s0' divides by 0, expected at least 1
// NEGATIVE: affine-divisors.mlir:[[@LINE+2]]:8: 'affine.apply': 'd0 floordiv s0' divides by -3, expected at least 1
func.func @apply(%a: index, %b: index) -> (index, index, index) {
  %1 = affine.apply affine_map<(i)[s] -> (i floordiv s)>(%a)[%b]
  %2 = affine.apply affine_map<(i)[s] -> (i mod s)>(%a)[%b]
  %3 = affine.apply affine_map<(i)[s] -> (i ceildiv s)>(%a)[%b]
  return %1, %2, %3 : index, index, index
}

// EXTREMES: 2
// EXTREMES-NEXT: 5
// SUM: 'affine.min': 'd0 floordiv (s0 + 1)' divides by 0, expected at least 1
func.func @extremes(%a: index, %b: index) -> (index, index) {
  %1 = affine.min affine_map<(i)[s] -> (i floordiv (s + 1), 5)>(%a)[%b]
  %2 = affine.max affine_map<(i)[s] -> (i ceildiv s, 5)>(%a)[%b]
  return %1, %2 : index, index
}

// LOOPS: 12
// LOOP: 'affine.for': 's0 ceildiv s1' divides by 0, expected at least 1
func.func @loops(%a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to min affine_map<()[s, t] -> (s ceildiv t, s)>()[%a, %b] iter_args(%n = %c0) -> index {
    %m = affine.for %j = affine_map<()[s] -> (s - 3)>()[%b] to affine_map<()[s, t] -> (s floordiv t)>()[%a, %b] iter_args(%k = %n) -> index {
      %c1 = arith.constant 1 : index
      %l = arith.addi %k, %c1 : index
      affine.yield %l : index
    }
    affine.yield %m : index
  }
  return %r : index
}

// YES: 3
// NO: 5
// BRANCH: 'affine.if': 's0 mod s1' divides by 0, expected at least 1
func.func @branch(%a: index, %b: index, %k: i1) -> index {
  %c5 = arith.constant 5 : index
  %r = scf.if %k -> index {
    %s = affine.if affine_set<()[s, t] : (s mod t == 0, s - t >= 0)>()[%a, %b] -> index {
      affine.yield %b : index
    } else {
      affine.yield %a : index
    }
    scf.yield %s : index
  } else {
    scf.yield %c5 : index
  }
  return %r : index
}

// rt-13: the least integer has no negative, and its quotients are right.
// LEAST: -3074457345618258602
// LEAST-NEXT: -3074457345618258602
// LEAST-NEXT: -3074457345618258602
// LEAST-NEXT: -3074457345618258603
func.func @least(%a: index, %b: index) -> (index, index, index, index) {
  %1 = affine.apply affine_map<(i) -> (i ceildiv 3)>(%a)
  %2 = affine.apply affine_map<(i)[s] -> (i ceildiv s)>(%a)[%b]
  %3 = index.ceildivs %a, %b
  %4 = index.floordivs %a, %b
  return %1, %2, %3, %4 : index, index, index, index
}
