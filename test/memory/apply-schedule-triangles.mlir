// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/interchange.mlir | FileCheck %s --check-prefix=INTERCHANGE
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/steps.mlir | FileCheck %s --check-prefix=STEPS
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/tile.mlir | FileCheck %s --check-prefix=TILE
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/skew.mlir print=true' | FileCheck %s --check-prefix=SKEW
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/shift.mlir | FileCheck %s --check-prefix=SHIFT
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/marks.mlir | FileCheck %s --check-prefix=MARKS
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/marks.mlir --loom-parallelize-nests --loom-scf-to-cf | FileCheck %s --check-prefix=THREADS

// sch-4: j from 0, and i up to j.
// INTERCHANGE-LABEL: func.func @triangle
// INTERCHANGE-SAME: %[[N:[^:]*]]: index
// INTERCHANGE: scf.if
// INTERCHANGE: scf.for %[[J:.*]] = %c0{{.*}} to %[[N]] step
// INTERCHANGE: %[[END:.*]] = arith.addi %[[J]], %c1
// INTERCHANGE: scf.for %[[I:.*]] = %c0{{.*}} to %[[END]] step
// INTERCHANGE: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// INTERCHANGE: loom.loop = "i"
// INTERCHANGE: loom.loop = "j"
// INTERCHANGE: } else {

// sch-5: tiles of j begin at multiples of 8, whatever i is.
// TILE-LABEL: func.func @triangle
// TILE: scf.for %[[IT:[^ ]*]] = %c0{{.*}} step %c4
// TILE: scf.for %[[JT:[^ ]*]] = %c0{{.*}} step %c8
// TILE: scf.for %[[I:[^ ]*]] =
// TILE: arith.maxsi
// TILE: scf.for %[[J:[^ ]*]] =
// TILE: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// TILE: loom.loop = "j"{{.*}}"j mod 8"
// TILE: loom.loop = "j.tile"

// sch-14
// SKEW: // {{.*}} = transform.loom.skew
// SKEW: mldim %t2 : {S1} q - 2 * (p) {
// SKEW-LABEL: func.func @wave
// SKEW: scf.for %[[I:[^ ]*]] =
// SKEW: %[[BY:.*]] = arith.muli %[[I]], %c-2
// SKEW: %[[FIRST:.*]] = arith.muli %[[I]], %c-2
// SKEW: scf.for %[[D:.*]] = %[[FIRST]] to
// SKEW: arith.subi %[[D]], %[[BY]]

// sch-13
// SHIFT-LABEL: func.func @wave
// SHIFT: %[[FIRST:.*]] = arith.constant 4 : index
// SHIFT: scf.for %[[I:[^ ]*]] = %[[FIRST]] to
// SHIFT: arith.subi %[[I]], %c3

// sch-15, sch-16
// MARKS-LABEL: func.func @triangle
// MARKS: loom.loop = "j", loom.vector_lanes = 8 : i64, loom.vector_loop = "loop 'j' at {{.*}}program.mlir:5:5 of function '@triangle'"
// MARKS: loom.loop = "i", loom.on_threads
// MARKS: } else {
// MARKS-NOT: loom.on_threads
// THREADS: call @{{.*}}loom.parallel_loop
// THREADS: cf.br{{.*}}llvm.loop_annotation = #loop_annotation}

// The first j depends on i: j counts all numbers, and a condition skips those
// that the program does not run.
// STEPS-LABEL: func.func @steps
// STEPS: arith.cmpi slt
// STEPS: scf.if
// STEPS: scf.for %[[J:[^ ]*]] = %c0{{.*}} step %c1
// STEPS: scf.for %[[I:[^ ]*]] = %c0{{.*}} step %c1
// STEPS: %[[D:.*]] = arith.subi %[[J]], %[[I]]
// STEPS: %[[Q:.*]] = arith.floordivsi %[[D]], %c2
// STEPS: %[[W:.*]] = arith.muli %[[Q]], %c2
// STEPS: %[[IS:.*]] = arith.cmpi eq, %[[D]], %[[W]]
// STEPS: scf.if %[[IS]]
// STEPS: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]

//--- program.mlir
func.func @triangle(%n: index, %a: memref<?x?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @wave(%n: index, %a: memref<?x?xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %i1 = arith.subi %i, %c1 : index
      %j1 = arith.addi %j, %c1 : index
      %x = memref.load %a[%i1, %j1] : memref<?x?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "q"}
  } {loom.loop = "p"}
  return
}

func.func @steps(%n: index, %a: memref<?x?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i to %n step %c2 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "w"}
  } {loom.loop = "v"}
  return
}

//--- interchange.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @triangle 0 : 2
    %j2, %i2 = transform.loom.interchange %i, %j to [1, 0]
    transform.yield
  }
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @triangle 0 : 2
    %t:4 = transform.loom.tile %i, %j by [4, 8]
    transform.yield
  }
}

//--- skew.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %p, %q = transform.loom.nest @wave 0 : 2
    %d = transform.loom.skew %p, %q by -2
    transform.yield
  }
}

//--- shift.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %p = transform.loom.loop @wave "p"
    %s = transform.loom.shift %p by 3
    transform.yield
  }
}

//--- marks.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @triangle 0 : 2
    %v = transform.loom.vectorize %j by 8
    %p = transform.loom.parallelize %i
    transform.yield
  }
}

//--- steps.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @steps 0 : 2
    %k, %l = transform.loom.interchange %i, %j to [1, 0]
    transform.yield
  }
}
