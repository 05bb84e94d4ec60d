// RUN: broadloom-opt %s --loom-schedule-nests | FileCheck %s
// RUN: broadloom-opt %s --loom-schedule-nests --loom-print-schedule -o /dev/null | FileCheck %s --check-prefix=TREE

// sch-17: sums in order along rows, in tiles, and four rows at a time.
// CHECK-LABEL: func.func @product
// CHECK: scf.if
// CHECK: scf.for %{{.*}} step %c32
// CHECK: scf.for %{{.*}} step %c64
// CHECK: scf.for %{{.*}} step %c256
// CHECK: scf.for %{{.*}} step %c4
// CHECK-COUNT-4: memref.store
// CHECK: } else {
// CHECK: } {loom.edited}

// TREE-LABEL: schedule @product {
// TREE: mldim %t1 : {S1{{.*}}} floordiv (i, 32) {
// TREE-NEXT: mldim %t2 : {{.*}} floordiv (k, 64) {
// TREE-NEXT: mldim %t3 : {{.*}} floordiv (j, 256) {
// TREE-NEXT: sequence {
// TREE-NEXT: mldim %t4 : {S1,S2,S3,S4} floordiv (i mod 32, 4) {
// TREE-NEXT: mldim %t5 : {S1,S2,S3,S4} k mod 64 {
// TREE-NEXT: mldim %t6 : {S1,S2,S3,S4} j mod 256 {

// Sums beside another statement are taken out.
// TREE-LABEL: schedule @beside {
// TREE: sequence {
// TREE-NEXT: mldim %t2 : {S1,S2,S3,S4} floordiv (k - first (k), 4) {
// TREE-NEXT: mldim %t3 : {S1,S2,S3,S4} j {
// TREE: mldim %t4 : {S5} k {
// TREE-NEXT: mldim %t5 : {S5} j {
// TREE-NEXT: S5
// TREE: mldim %t6 : {S6} j {
// TREE-NEXT: S6

// Rows that update one row do so four at a time.
// TREE-LABEL: schedule @sums {
// TREE: mark "edited" {
// TREE-NEXT: sequence {
// TREE-NEXT: mldim %t1 : {S1,S2,S3,S4} floordiv (i, 4) {
// TREE-NEXT: mldim %t2 : {S1,S2,S3,S4} j {
// TREE: mldim %t3 : {S5} i {

// A short row of constant length stays in registers.
// TREE-LABEL: schedule @few {
// TREE-NOT: floordiv

// Each iteration waits for the one before it.
// TREE-LABEL: schedule @recurrence {
// TREE-NOT: edited
// TREE: mldim %t1 : {S1,S2} j {
// TREE-NEXT: mldim %t2 : {S1,S2} i {
// TREE-NEXT: sequence {
// TREE-NEXT: S1

func.func @product(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) attributes {loom.memory} {
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

func.func @beside(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %f: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %i1 = arith.addi %i, %c1 : index
      scf.for %k = %i1 to %n step %c1 {
        %x = memref.load %a[%k, %i] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %z = memref.load %b[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        memref.store %s, %b[%i, %j] : memref<?x?xf64>
      } {loom.loop = "k"}
      %u = memref.load %b[%i, %j] : memref<?x?xf64>
      %v = arith.mulf %u, %f : f64
      memref.store %v, %b[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @sums(%n: index, %a: memref<?x?xf64>, %b: memref<?xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = memref.load %b[%j] : memref<?xf64>
      %z = arith.addf %x, %y : f64
      memref.store %z, %b[%j] : memref<?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @few(%n: index, %a: memref<?x8xf64>, %b: memref<8xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x8xf64>
      %y = memref.load %b[%j] : memref<8xf64>
      %z = arith.addf %x, %y : f64
      memref.store %z, %b[%j] : memref<8xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

func.func @recurrence(%n: index, %a: memref<?x?xf64>) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c1 to %n step %c1 {
    scf.for %i = %c1 to %n step %c1 {
      %i1 = arith.subi %i, %c1 : index
      %j1 = arith.addi %j, %c1 : index
      %x = memref.load %a[%j1, %i1] : memref<?x?xf64>
      memref.store %x, %a[%j, %i] : memref<?x?xf64>
      memref.store %x, %a[%i1, %j] : memref<?x?xf64>
    } {loom.loop = "i"}
  } {loom.loop = "j"}
  return
}
