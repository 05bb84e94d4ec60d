// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/tile.mlir print=true' -o %t/tile.out | FileCheck %s --check-prefix=TREE
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t/tile.out
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/others.mlir | FileCheck %s --check-prefix=OTHERS
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule=file=%t/jam.mlir | FileCheck %s --check-prefix=JAM
// RUN: broadloom-opt %t/program.mlir --loom-print-schedule -o /dev/null | FileCheck %s --check-prefix=PRINT

// sch-1, sch-2, sch-4, sch-5, sch-10: the edited nest, and the one of the
// program where memory overlaps.
// TILE-LABEL: func.func @gemm
// TILE-SAME: %[[N:[^ ,)]*]]: index
// TILE: memref.extract_aligned_pointer_as_index
// TILE: scf.if
// TILE: scf.for %[[KT:.*]] = %c0 to %[[N]] step %c32
// TILE: scf.for %[[IT:.*]] = %c0 to %[[N]] step %c64
// TILE: %[[E:.*]] = arith.addi %[[KT]], %c32
// TILE: %[[M:.*]] = arith.minsi %[[E]], %[[N]]
// TILE: scf.for %[[K:.*]] = %[[KT]] to %[[M]] step %c1
// TILE: scf.for %[[I:[^ ]*]] = %[[IT]]
// TILE: scf.for %[[J:[^ ]*]] = %c0 to %[[N]] step %c1
// TILE: memref.load %{{.*}}[%[[I]], %[[K]]]
// TILE: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// TILE: loom.loop = "j"
// TILE: loom.loop = "i.tile"
// TILE: loom.loop = "k.tile"
// TILE: } else {
// TILE: scf.for
// TILE: scf.for
// TILE: scf.for
// TILE: } {loom.edited}

// sch-11
// TREE: schedule @gemm {
// TREE-NEXT: #S1 = (i, j, k) : i >= 0, {{.*}}, k >= 0, {{.*}} // 'memref.store' at
// TREE-NEXT: mldim %t1 : {S1} i {
// TREE-NEXT: mldim %t2 : {S1} j {
// TREE-NEXT: mldim %t3 : {S1} k {
// TREE-NEXT: S1
// TREE: transform.loom.interchange
// TREE-NEXT: schedule @gemm {
// TREE-NEXT: #S1 = (i, j, k)
// TREE-NEXT: mark "edited" {
// TREE-NEXT: mldim %t1 : {S1} k {
// TREE: transform.loom.tile
// TREE: mldim %t1 : {S1} floordiv (k, 32) {
// TREE-NEXT: mldim %t2 : {S1} floordiv (i, 64) {
// TREE-NEXT: mldim %t3 : {S1} k mod 32 {
// TREE-NEXT: mldim %t4 : {S1} i mod 64 {
// TREE-NEXT: mldim %t5 : {S1} j {

// PRINT: schedule @two {
// PRINT-NEXT: #S1 = (a) : a >= 0
// PRINT-NEXT: #S2 = (a)
// PRINT-NEXT: #S3 = (b) : b - 1 >= 0
// PRINT-NEXT: sequence {
// PRINT-NEXT: mldim %t1 : {S1,S2} a {
// PRINT-NEXT: sequence {
// PRINT-NEXT: S1
// PRINT-NEXT: filter {S2} {
// PRINT-NEXT: S2
// PRINT: mldim %t2 : {S3} b {

// sch-6 to sch-9
// OTHERS-LABEL: func.func @two
// The first loop as two, of which the second one runs with the loop behind.
// OTHERS: scf.if
// OTHERS: scf.for
// OTHERS: memref.store
// OTHERS: loom.loop = "a"
// What only one of the fused loops has.
// OTHERS: scf.for
// OTHERS: loom.loop = "a.2.before"
// OTHERS: scf.for
// OTHERS: loom.loop = "b.before"
// OTHERS: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c4
// OTHERS-COUNT-8: memref.store
// OTHERS: loom.loop = "a.2"
// OTHERS: scf.for
// OTHERS: loom.loop = "a.2.rest"
// OTHERS: loom.loop = "a.2.behind"
// OTHERS: loom.loop = "b.behind"
// OTHERS: } else {
// OTHERS: scf.for
// OTHERS: scf.for
// OTHERS-NOT: scf.for
// OTHERS: return
// OTHERS-LABEL: func.func @sums
// Sums of integers, and of floats that may be in any order.
// OTHERS: arith.subi
// OTHERS: arith.addi %{{.*}}, %{{.*}} : i64
// OTHERS: arith.addf %{{.*}} {loom.fastmath = #arith.fastmath<reassoc>}

// sch-12
// JAM-LABEL: func.func @gemm
// JAM: scf.if
// JAM: scf.for %[[I:[^ ]*]] = %c0 to %{{.*}} step %c2
// JAM: scf.for %[[J:[^ ]*]] =
// JAM: scf.for %[[K:[^ ]*]] =
// JAM: memref.load %{{.*}}[%[[I]], %[[K]]]
// JAM: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// JAM: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// JAM: memref.load %{{.*}}[%[[NEXT]], %[[K]]]
// JAM: memref.store %{{.*}}, %{{.*}}[%[[NEXT]], %[[J]]]
// JAM: loom.loop = "i", loom.part = "floordiv (i, 2)"
// JAM: loom.loop = "i.rest"
// JAM: } else {

//--- program.mlir
func.func @gemm(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %z = memref.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        memref.store %s, %c[%i, %j] : memref<?x?xf64>
      } {loom.loop = "k"}
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @two(%n: index, %a: memref<?xf64>, %b: memref<?xf64>, %x: f64, %q: i1) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf64>
    scf.if %q {
      memref.store %x, %b[%i] : memref<?xf64>
    }
  } {loom.loop = "a"}
  scf.for %i = %c1 to %n step %c1 {
    %y = memref.load %a[%i] : memref<?xf64>
    memref.store %y, %a[%i] : memref<?xf64>
  } {loom.loop = "b"}
  return
}

func.func @sums(%n: index, %a: memref<?xi64>, %s: memref<1xi64>, %b: memref<?xf64>, %t: memref<1xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %y = memref.load %s[%c0] : memref<1xi64>
    %z = arith.addi %y, %x : i64
    memref.store %z, %s[%c0] : memref<1xi64>
    %u = memref.load %b[%i] : memref<?xf64>
    %v = memref.load %t[%c0] : memref<1xf64>
    %w = arith.addf %v, %u {loom.fastmath = #arith.fastmath<reassoc>} : f64
    memref.store %w, %t[%c0] : memref<1xf64>
  }
  return
}

//--- tile.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @gemm 0 : 3
    %k2, %i2, %j2 = transform.loom.interchange %i, %j, %k to [2, 0, 1]
    %t:4 = transform.loom.tile %k2, %i2 by [32, 64]
    transform.yield
  }
}

//--- jam.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j, %k = transform.loom.nest @gemm 0 : 3
    %main, %rest = transform.loom.unroll_and_jam %i, %j, %k by 2
    transform.yield
  }
}

//--- others.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.nest @two 0 : 1
    %j = transform.loom.nest @two 1 : 1
    %first, %second = transform.loom.distribute %i at 1
    %both = transform.loom.fuse %second, %j
    %main, %rest = transform.loom.unroll %both by 4
    %l = transform.loom.nest @sums 0 : 1
    %r = transform.loom.reverse %l
    transform.yield
  }
}
