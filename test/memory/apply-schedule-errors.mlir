// RUN: split-file %s %t
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/order.mlir 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/tiles.mlir 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/jam.mlir 2>&1 | FileCheck %s --check-prefix=JAM
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/jam-one.mlir 2>&1 | FileCheck %s --check-prefix=JAM-ONE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/sum.mlir 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/triangle.mlir 2>&1 | FileCheck %s --check-prefix=TRIANGLE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/beside.mlir 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/distribute.mlir 2>&1 | FileCheck %s --check-prefix=DISTRIBUTE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/fuse.mlir 2>&1 | FileCheck %s --check-prefix=FUSE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/between.mlir 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/check.mlir 2>&1 | FileCheck %s --check-prefix=CHECK-LEFT
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/carries.mlir 2>&1 | FileCheck %s --check-prefix=CARRIES
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/crossing.mlir 2>&1 | FileCheck %s --check-prefix=CROSSING
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/gone.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/zero.mlir 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/name.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/number.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/depth.mlir 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/function.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/loops.mlir 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/include.mlir 2>&1 | FileCheck %s --check-prefix=INCLUDE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/print.mlir 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/second.mlir 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/word.mlir 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/quoted.mlir 2>&1 | FileCheck %s --check-prefix=QUOTED
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/grids.mlir 2>&1 | FileCheck %s --check-prefix=GRIDS
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/skew.mlir 2>&1 | FileCheck %s --check-prefix=SKEW
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/skewed.mlir 2>&1 | FileCheck %s --check-prefix=SKEWED
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/shift.mlir 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/lanes.mlir 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/threads.mlir 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/vectors.mlir 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/call.mlir 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/copy.mlir 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/marked.mlir 2>&1 | FileCheck %s --check-prefix=MARKED
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/threads-twice.mlir 2>&1 | FileCheck %s --check-prefix=THREADS-TWICE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/vectors-twice.mlir 2>&1 | FileCheck %s --check-prefix=VECTORS-TWICE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/program.mlir 2>&1 | FileCheck %s --check-prefix=SEQUENCE
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/no-block.mlir 2>&1 | FileCheck %s --check-prefix=NO-BLOCK
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/no-region.mlir 2>&1 | FileCheck %s --check-prefix=NO-REGION
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/two-blocks.mlir 2>&1 | FileCheck %s --check-prefix=TWO-BLOCKS
// RUN: not broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/none 2>&1 | FileCheck %s --check-prefix=MISSING

// sch-3: two iterations and the element, in the names of the program.
// ORDER: order.mlir:4:16: error: 'memref.store' at {{.*}}program.mlir:9:7 in iteration (i = [[I:[0-9]+]], j = {{[0-9]+}}) comes before 'memref.load' at {{.*}}program.mlir:8:12 in iteration (i = {{[0-9]+}}, j = {{[0-9]+}}), and the edit would run it behind that one; both touch element [{{[0-9]+, [0-9]+}}] of argument {{.*}}, where argument {{.*}} is
// TILES: tiles.mlir:4:12: error: 'memref.store' at {{.*}} in iteration (i.tile = {{.*}}, i = {{.*}}, j.tile = {{.*}}, j = {{.*}}) comes before
// JAM: jam.mlir:4:12: error: 'memref.store' at {{.*}} in iteration (i = {{.*}}, i.step = {{.*}}, j = {{.*}}) comes before 'memref.load'
// JAM-ONE: jam-one.mlir:4:12: error: 'transform.loom.unroll_and_jam' op has no loop inside, where copies are jammed
// SUM: sum.mlir:4:10: error: 'memref.load' at {{.*}} comes before 'memref.store' at {{.*}}; sums of floats keep their order unless their operation has fastmath<reassoc>
// TRIANGLE: triangle.mlir:4:14: error: the bounds of a loop in loop 'x' depend on it, so that its iterations do not run together
// TRIANGLE: program.mlir:{{.*}}: note: of the program
// BESIDE: beside.mlir:4:12: error: 'memref.store' stands beside loop 'n' in loop 'm'; loom.distribute may take them apart
// DISTRIBUTE: distribute.mlir:4:12: error: 'memref.store' at {{.*}} in iteration (p = {{.*}}) comes before 'memref.{{load|store}}' at {{.*}} in iteration (p = {{.*}})
// FUSE: fuse.mlir:5:10: error: 'memref.{{load|store}}' at {{.*}} in iteration (p = {{[0-9]+}}) comes before 'memref.{{load|store}}' at {{.*}} in iteration (q = {{[0-9]+}})
// BETWEEN: between.mlir:5:10: error: 'memref.store' stands between the loops
// CHECK-LEFT: check.mlir:4:10: error: a check was left in loop 'c', which must find the first failure of the program
// UNKNOWN: unknown.mlir:4:10: error: it is not known what loop 'u' does, because a bound or a subscript is not affine
// CARRIES: carries.mlir:4:10: error: loop 's' carries a number from one iteration to the next
// CROSSING: crossing.mlir:4:12: error: 'scf.for' of the first loop gives a number that the second one needs
// GONE: gone.mlir:5:10: error: a loop is gone, because an edit has made others of it
// GONE: gone.mlir:3:14: note: the loop
// ZERO: zero.mlir:4:12: error: 'transform.loom.tile' op has a tile of 0 iterations; a tile has at least 1
// LARGE: large.mlir:4:12: error: a tile of 4611686018427387904 iterations of loop 'j' is too large: with the step of 1, it has at most 1152921504606846976
// UNROLL: unroll.mlir:4:12: error: 'transform.loom.unroll' op runs 1 iterations in one; this is from 2 to 1024
// TWICE: twice.mlir:4:12: error: 'transform.loom.interchange' op has loop 1 twice
// NAME: name.mlir:3:10: error: function '@wave' has 0 loops of the name 'z'
// NUMBER: number.mlir:3:10: error: function '@wave' has 1 loop nest, but no number 1
// DEPTH: depth.mlir:3:12: error: loop 'j' has 0 loops in it, so that the nest has 2 loops that stand in each other
// FUNCTION: function.mlir:3:10: error: the program has no function '@none' that is compiled
// LOOPS: loops.mlir:3:5: error: 'transform.foreach' is no edit of loops; write the edits in it one behind the other in the sequence itself, which runs all of them or fails
// INCLUDE: include.mlir:4:5: error: 'transform.include' is no edit of loops; write the edits of '@twice' in its place
// PRINT: print.mlir:3:5: error: 'transform.print' is no edit of loops; the operations of a schedule are transform.loom.distribute, {{.*}}transform.loom.vectorize
// SECOND: second.mlir:2:3: error: a schedule has one sequence, '@__transform_main', and no other one; write the edits there
// WORD: word.mlir:4:10: error: custom op 'transform.loom.revers' is unknown
// WORD: word.mlir:1:1: note: the operations of a schedule are transform.loom.distribute, {{.*}}transform.loom.reverse, {{.*}}transform.loom.vectorize
// QUOTED: quoted.mlir:4:10: error: 'transform.loop.unroll' is no edit of loops; the operations of a schedule are transform.loom.distribute
// OTHER: other.mlir:3:5: error: Dialect `foo' not found
// OTHER: note: the operations of a schedule are transform.loom.distribute
// GRIDS: grids.mlir:5:10: error: the loops have the steps 2 and 2, and it is not known that both count the same numbers
// NO-BLOCK: no-block.mlir:1:1: error: 'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks
// NO-REGION: no-region.mlir:1:1: error: 'builtin.module' op requires one region
// TWO-BLOCKS: two-blocks.mlir:1:1: error: 'builtin.module' op expects region #0 to have 0 or 1 blocks
// SKEW: skew.mlir:4:10: error: 'transform.loom.skew' op skews by 0; this is from 1 to 1048576, of either sign
// SKEWED: skewed.mlir:5:10: error: loop 'p' does not stand in loop 'x'
// SHIFT: shift.mlir:4:10: error: 'transform.loom.shift' op shifts by -1048577; this is from 1 to 1048576
// LANES: lanes.mlir:4:10: error: 'transform.loom.vectorize' op has vectors of 3 elements; this is a power of 2 from 2 to 64
// THREADS: threads.mlir:4:10: error: loop 'p' cannot run on threads: iterations {{[0-9]+}} and {{[0-9]+}} meet at element [{{[0-9]+}}] of argument
// VECTORS: vectors.mlir:4:10: error: 'memref.{{load|store}}' at {{.*}} comes before 'memref.{{load|store}}'
// CALL: call.mlir:4:10: error: 'scf.for' in loop 'x' has no form as vectors
// MARKED: marked.mlir:5:10: error: loop 'y' runs as vectors; edits of it and of loops around it stand in front of that edit
// COPY: copy.mlir:4:10: error: it is not known what loop 'copied' does, because it has 'memref.copy'
// THREADS-TWICE: threads-twice.mlir:5:10: error: loop 'n2' around loop 'o2' runs on threads; leave one of the two edits out
// VECTORS-TWICE: vectors-twice.mlir:5:10: error: loop 'y' runs as vectors twice
// SEQUENCE: program.mlir:1:1: error: a schedule has one sequence, '@__transform_main', and nothing else
// MISSING: error: cannot read the schedule '{{.*}}none': No such file or directory

//--- program.mlir
func.func @wave(%a: memref<?x?xf64>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %i1 = arith.subi %i, %c1 : index
      %j1 = arith.addi %j, %c1 : index
      %x = memref.load %a[%i1, %j1] : memref<?x?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @apart(%a: memref<?x?xf64>, %n: index, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "o2"}
  } {loom.loop = "n2"}
  return
}

func.func @others(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %x: f64, %w: memref<?xindex>) -> f64 attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %0 = memref.load %a[%c0] : memref<?xf64>
    %1 = memref.load %b[%k] : memref<?xf64>
    %2 = arith.addf %0, %1 : f64
    memref.store %2, %a[%c0] : memref<?xf64>
  } {loom.loop = "k"}
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %n step %c1 {
      memref.store %x, %a[%j] : memref<?xf64>
    } {loom.loop = "y"}
  } {loom.loop = "x"}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%i] : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%j] : memref<?xf64>
    } {loom.loop = "n"}
  } {loom.loop = "m"}
  scf.for %i = %c1 to %n step %c1 {
    %i1 = arith.subi %i, %c1 : index
    memref.store %x, %a[%i] : memref<?xf64>
    %0 = memref.load %a[%i1] : memref<?xf64>
    memref.store %0, %b[%i] : memref<?xf64>
    %i2 = arith.addi %i, %c1 : index
    memref.store %x, %a[%i2] : memref<?xf64>
  } {loom.loop = "p"}
  scf.for %i = %c1 to %n step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %0 = memref.load %b[%i1] : memref<?xf64>
    memref.store %0, %a[%i] : memref<?xf64>
  } {loom.loop = "q"}
  memref.store %x, %b[%c0] : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %ok = arith.cmpi slt, %i, %n : index
    loom.require %ok, "memref.store", "outside"
    memref.store %x, %a[%i] : memref<?xf64>
  } {loom.loop = "c"}
  scf.for %i = %c1 to %n step %c1 {
    %at = memref.load %w[%i] : memref<?xindex>
    memref.store %x, %a[%at] : memref<?xf64>
  } {loom.loop = "u"}
  %s = scf.for %i = %c1 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %0 = memref.load %a[%i] : memref<?xf64>
    %1 = arith.addf %t, %0 : f64
    scf.yield %1 : f64
  } {loom.loop = "s"}
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.for %j = %c1 to %n step %c1 iter_args(%t = %x) -> (f64) {
      %1 = arith.addf %t, %x : f64
      scf.yield %1 : f64
    }
    memref.store %r, %a[%i] : memref<?xf64>
  } {loom.loop = "r"}
  return %s : f64
}

func.func @grids(%n: index, %a: memref<?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c2 {
    memref.store %x, %a[%i] : memref<?xf64>
  } {loom.loop = "e"}
  scf.for %i = %c1 to %n step %c2 {
    memref.store %x, %a[%i] : memref<?xf64>
  } {loom.loop = "o"}
  return
}

func.func @copies(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index, %m: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, %m] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.copy %x, %y : memref<?xf64, strided<[1], offset: ?>> to memref<?xf64, strided<[1], offset: ?>>
  } {loom.loop = "copied"}
  return
}

//--- grids.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %e = transform.loom.loop @grids "e"
    %o = transform.loom.loop @grids "o"
    %f = transform.loom.fuse %e, %o
    transform.yield
  }
}

//--- skew.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %k = transform.loom.skew %i, %j by 0
    transform.yield
  }
}

//--- skewed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @others "x"
    %j = transform.loom.loop @others "p"
    %k = transform.loom.skew %i, %j by 1
    transform.yield
  }
}

//--- shift.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @wave "i"
    %k = transform.loom.shift %i by -1048577
    transform.yield
  }
}

//--- lanes.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @wave "j"
    %k = transform.loom.vectorize %i by 3
    transform.yield
  }
}

//--- threads.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @others "p"
    %k = transform.loom.parallelize %i
    transform.yield
  }
}

//--- vectors.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @others "p"
    %k = transform.loom.vectorize %i by 4
    transform.yield
  }
}

//--- call.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @others "x"
    %k = transform.loom.vectorize %i by 4
    transform.yield
  }
}

//--- copy.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @copies "copied"
    %k = transform.loom.parallelize %i
    transform.yield
  }
}

//--- marked.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @others "y"
    %k = transform.loom.vectorize %i by 4
    %l = transform.loom.reverse %i
    transform.yield
  }
}

//--- order.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %j2, %i2 = transform.loom.interchange %i, %j to [1, 0]
    transform.yield
  }
}

//--- tiles.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:4 = transform.loom.tile %i, %j by [2, 8]
    transform.yield
  }
}

//--- sum.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %k = transform.loom.loop @others "k"
    %r = transform.loom.reverse %k
    transform.yield
  }
}

//--- triangle.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %x, %y = transform.loom.nest @others 1 : 2
    %k, %l = transform.loom.unroll_and_jam %x, %y by 2
    transform.yield
  }
}

//--- beside.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %m, %n = transform.loom.nest @others 2 : 2
    %t:4 = transform.loom.tile %m, %n by [2, 2]
    transform.yield
  }
}

//--- distribute.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %p = transform.loom.loop @others "p"
    %t:2 = transform.loom.distribute %p at 2
    transform.yield
  }
}

//--- fuse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %p = transform.loom.loop @others "p"
    %q = transform.loom.loop @others "q"
    %r = transform.loom.fuse %p, %q
    transform.yield
  }
}

//--- between.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %q = transform.loom.loop @others "q"
    %c = transform.loom.loop @others "u"
    %r = transform.loom.fuse %q, %c
    transform.yield
  }
}

//--- check.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %c = transform.loom.loop @others "c"
    %r = transform.loom.reverse %c
    transform.yield
  }
}

//--- unknown.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %u = transform.loom.loop @others "u"
    %r = transform.loom.reverse %u
    transform.yield
  }
}

//--- carries.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %s = transform.loom.loop @others "s"
    %r = transform.loom.reverse %s
    transform.yield
  }
}

//--- crossing.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %r = transform.loom.loop @others "r"
    %t:2 = transform.loom.distribute %r at 1
    transform.yield
  }
}

//--- gone.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.tile %j by [4]
    %r = transform.loom.reverse %j
    transform.yield
  }
}

//--- threads-twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @apart 0 : 2
    %p = transform.loom.parallelize %i
    %q = transform.loom.parallelize %j
    transform.yield
  }
}

//--- vectors-twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %y = transform.loom.loop @others "y"
    %v = transform.loom.vectorize %y by 8
    %w = transform.loom.vectorize %y by 4
    transform.yield
  }
}

//--- zero.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.tile %j by [0]
    transform.yield
  }
}

//--- large.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.tile %j by [4611686018427387904]
    transform.yield
  }
}

//--- unroll.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.unroll %j by 1
    transform.yield
  }
}

//--- twice.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.interchange %i, %j to [1, 1]
    transform.yield
  }
}

//--- name.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %z = transform.loom.loop @wave "z"
    transform.yield
  }
}

//--- number.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.nest @wave 1 : 1
    transform.yield
  }
}

//--- depth.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i:3 = transform.loom.nest @wave 0 : 3
    transform.yield
  }
}

//--- function.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.nest @none 0 : 1
    transform.yield
  }
}

//--- include.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    transform.include @twice failures(propagate) (%i) : (!transform.op<"scf.for">) -> ()
    transform.yield
  }
  transform.named_sequence @twice(%i: !transform.op<"scf.for">) {
    %r = transform.loom.reverse %i
    transform.yield
  }
}

//--- print.mlir
module {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    transform.print %program : !transform.any_op
    transform.yield
  }
}

//--- second.mlir
module {
  transform.named_sequence @twice(%p: !transform.any_op) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    transform.yield
  }
}

//--- word.mlir
module {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %r = transform.loom.revers %i
    transform.yield
  }
}

//--- quoted.mlir
module {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %r = "transform.loop.unroll"(%i) : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}

//--- other.mlir
module {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    foo.bar
    transform.yield
  }
}

//--- loops.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    transform.foreach %program : !transform.any_op {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}

//--- jam.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.unroll_and_jam %i, %j by 2
    transform.yield
  }
}

//--- jam-one.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %t:2 = transform.loom.unroll_and_jam %i by 2
    transform.yield
  }
}

//--- no-block.mlir
"builtin.module"() ({}) : () -> ()

//--- no-region.mlir
"builtin.module"() : () -> ()

//--- two-blocks.mlir
"builtin.module"() ({
^a:
^b:
}) : () -> ()
