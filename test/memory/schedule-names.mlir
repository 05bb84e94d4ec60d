// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/edits.mlir print=true' -o /dev/null | FileCheck %s

// sch-11: a loop without a name has none that another loop has, and keeps it.
// CHECK: schedule @outer {
// CHECK-NEXT: #S1 = (i0_2, i0) : i0_2 >= 0, {{.*}}, i0 >= 0
// CHECK-NEXT: mldim %t1 : {S1} i0_2 {
// CHECK-NEXT: mldim %t2 : {S1} i0 {
// CHECK: schedule @inner {
// CHECK-NEXT: #S1 = (i2, i1, i2_2) : i2 >= 0
// CHECK-NEXT: mldim %t1 : {S1} i2 {
// CHECK-NEXT: mldim %t2 : {S1} i1 {
// CHECK-NEXT: mldim %t3 : {S1} i2_2 {

// CHECK: transform.loom.tile
// CHECK-NEXT: schedule @outer {
// CHECK-NEXT: #S1 = (i0_2, i0) :
// CHECK-NEXT: mark "edited" {
// CHECK-NEXT: mldim %t1 : {S1} floordiv (i0_2, 4) {
// CHECK-NEXT: mldim %t2 : {S1} floordiv (i0, 8) {
// CHECK-NEXT: mldim %t3 : {S1} i0_2 mod 4 {
// CHECK-NEXT: mldim %t4 : {S1} i0 mod 8 {

// CHECK: transform.loom.interchange
// CHECK-NEXT: schedule @inner {
// CHECK-NEXT: #S1 = (i2, i1, i2_2) :
// CHECK-NEXT: mark "edited" {
// CHECK-NEXT: mldim %t1 : {S1} i2 {
// CHECK-NEXT: mldim %t2 : {S1} i2_2 {
// CHECK-NEXT: mldim %t3 : {S1} i1 {

//--- program.mlir
func.func @outer(%n: index, %a: memref<?x?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "i0"}
  }
  return
}

func.func @inner(%n: index, %a: memref<?x?x?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        memref.store %x, %a[%i, %j, %k] : memref<?x?x?xf64>
      }
    }
  } {loom.loop = "i2"}
  return
}

//--- edits.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @outer 0 : 2
    %t:4 = transform.loom.tile %i, %j by [4, 8]
    %p, %q, %r = transform.loom.nest @inner 0 : 3
    %l:2 = transform.loom.interchange %q, %r to [1, 0]
    transform.yield
  }
}
