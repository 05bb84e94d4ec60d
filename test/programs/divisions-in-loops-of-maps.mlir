// RUN: broadloom run %s --function=iterations --input=3xi32=8,9,7 --input=3xi32=1,2,-3 | FileCheck %s --check-prefix=ITERATIONS
// RUN: not broadloom run %s --function=iterations --input=3xi32=8,9,7 --input=3xi32=1,-2,3 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=before --input=2xi32=4,12 --input=2xi32=4,1 | FileCheck %s --check-prefix=BEFORE
// RUN: not broadloom run %s --function=before --input=2xi32=4,12 --input=2xi32=4,99 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=after --input=3xi32=3,0,2 --input=3xi32=5,0,3 | FileCheck %s --check-prefix=AFTER
// RUN: not broadloom run %s --function=after --input=3xi32=3,0,2 --input=3xi32=5,0,1 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=switch --input=3xi32=1,2,3 --input=3xi32=1,0,2 | FileCheck %s --check-prefix=SWITCH
// RUN: not broadloom run %s --function=switch --input=3xi32=1,2,3 --input=3xi32=1,1,0 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=blocks --input=3xi32=1,6,9 --input=3xi32=0,2,-2 | FileCheck %s --check-prefix=BLOCKS
// RUN: not broadloom run %s --function=blocks --input=3xi32=1,6,9 --input=3xi32=0,0,2 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=between --input=3xi32=8,9,7 --input=3xi32=3,2,7 | FileCheck %s --check-prefix=BETWEEN
// RUN: not broadloom run %s --function=between --input=3xi32=8,9,7 --input=3xi32=3,0,7 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=unsigned --input=3xi32=1,2,9 --input=3xui8=1,200,3 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not broadloom run %s --function=unsigned --input=3xi32=1,0,9 --input=3xui8=1,200,3 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom-opt %s --broadloom-legalize | FileCheck %s --check-prefix=VERIFIED
// RUN: broadloom run %s --function=parallel --input=3xi32=8,9,7 --input=3xi32=1,2,-3 | FileCheck %s --check-prefix=PARALLEL
// RUN: not broadloom run %s --function=parallel --input=3xi32=8,9,7 --input=3xi32=1,-2,3 2>&1 | FileCheck %s --check-prefix=BAD

// rt-11: an element that a loop or a branch in the body of a map divides by 0,
// in whichever iteration, is a failed guard. What is not divided is none.
// BAD: divisions-in-loops-of-maps.mlir:{{[0-9]+}}:8: 'loom.map': an element is divided by 0, or the least integer by -1

// 8 / 1 / 2 / 3, 9 / 2 / 3 / 4 and 7 / -3 / -2 / -1.
// ITERATIONS: [ 1 0 -1]
func.func @iterations(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%z = %x) -> (i32) : i32 {
      %d = arith.addi %y, %i : i32
      %q = arith.divsi %z, %d : i32
      scf.yield %q : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// The first z from x downwards for which 12 / z is y at least.
// BEFORE: [ 3 12]
func.func @before(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %c1 = arith.constant 1 : i32
    %c12 = arith.constant 12 : i32
    %s = scf.while (%z = %x) : (i32) -> i32 {
      %q = arith.divsi %c12, %z : i32
      %p = arith.cmpi slt, %q, %y : i32
      scf.condition(%p) %z : i32
    } do {
    ^bb0(%z: i32):
      %n = arith.subi %z, %c1 : i32
      scf.yield %n : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// The sum of 6 / (z - y) for z from x down to 1: -3 - 2 - 1, nothing, -6 - 3.
// AFTER: [-6 0 -9]
func.func @after(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c6 = arith.constant 6 : i32
    %n, %s = scf.while (%z = %x, %t = %c0) : (i32, i32) -> (i32, i32) {
      %p = arith.cmpi sgt, %z, %c0 : i32
      scf.condition(%p) %z, %t : i32, i32
    } do {
    ^bb0(%z: i32, %t: i32):
      %d = arith.subi %z, %y : i32
      %q = arith.divsi %c6, %d : i32
      %sum = arith.addi %t, %q : i32
      %next = arith.subi %z, %c1 : i32
      scf.yield %next, %sum : i32, i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// SWITCH: [1 2 1]
func.func @switch(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %i = arith.index_cast %x : i32 to index
    %s = scf.index_switch %i -> i32
    case 2 {
      scf.yield %x : i32
    }
    default {
      %q = arith.divsi %x, %y : i32
      scf.yield %q : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// BLOCKS: [ 1 3 -4]
func.func @blocks(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %s = scf.execute_region -> i32 {
      %c1 = arith.constant 1 : i32
      %p = arith.cmpi sgt, %x, %c1 : i32
      cf.cond_br %p, ^divide, ^end(%x : i32)
    ^divide:
      %q = arith.divsi %x, %y : i32
      cf.br ^end(%q : i32)
    ^end(%w: i32):
      scf.yield %w : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// A loop of blocks that takes x / y from x until x is below y. With a divisor
// of 0 it would never end.
// BETWEEN: [2 1 6]
func.func @between(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %s = scf.execute_region -> i32 {
      cf.br ^iteration(%x : i32)
    ^iteration(%z: i32):
      %q = arith.divsi %z, %y : i32
      %p = arith.muli %q, %y : i32
      %w = arith.subi %z, %q : i32
      %c0 = arith.constant 0 : i32
      %end = arith.cmpi ugt, %y, %w : i32
      cf.cond_br %end, ^end(%w : i32), ^iteration(%w : i32)
    ^end(%v: i32):
      scf.yield %v : i32
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// VERIFIED: func.func @unsigned
// UNSIGNED: [ 1 200 3]
func.func @unsigned(%a: tensor<?xi32>, %u: tensor<?xui8>) -> tensor<?xui8> {
  %r = loom.map(%x = %a : tensor<?xi32>, %w = %u : tensor<?xui8>) -> tensor<?xui8> {
    %s = scf.execute_region -> ui8 {
      %c = arith.constant 7 : i32
      %q = arith.divsi %c, %x : i32
      %t = arith.cmpi slt, %q, %c : i32
      cf.cond_br %t, ^bb1, ^bb2
    ^bb1:
      scf.yield %w : ui8
    ^bb2:
      scf.yield %w : ui8
    }
    loom.yield %s : ui8
  }
  return %r : tensor<?xui8>
}

// x, and x / y, x / (y + 1) and x / (y + 2): 8 + 8 + 4 + 2, 9 + 4 + 3 + 2 and
// 7 - 2 - 3 - 7.
// PARALLEL: [22 18 -5]
func.func @parallel(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %r = loom.map(%x = %a : tensor<?xi32>, %y = %b : tensor<?xi32>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %s = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init(%x) -> i32 {
      %n = arith.index_cast %i : index to i32
      %d = arith.addi %y, %n : i32
      %q = arith.divsi %x, %d : i32
      scf.reduce(%q : i32) {
      ^bb0(%l: i32, %m: i32):
        %sum = arith.addi %l, %m : i32
        scf.reduce.return %sum : i32
      }
    }
    loom.yield %s : i32
  }
  return %r : tensor<?xi32>
}
