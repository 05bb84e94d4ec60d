// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/script.mlir print=true' -o /dev/null | FileCheck %s

// sch-11: a fused loop has the dimension of each statement, and what edits make
// of it behind that has those of both.
// CHECK: transform.loom.fuse
// CHECK-NEXT: schedule @f {
// CHECK-NEXT: #S1 = (i) :
// CHECK-NEXT: #S2 = (q) :
// CHECK-NEXT: #S3 = (p) :
// CHECK-NEXT: sequence {
// CHECK-NEXT: mark "edited" {
// CHECK-NEXT: mldim %t1 : {S1} i, {S2} q {
// CHECK: transform.loom.shift
// CHECK: mldim %t1 : {S1} i + 1, {S2} q + 1 {
// CHECK: transform.loom.reverse
// CHECK: mldim %t1 : {S1} ends (i + 1) - (i + 1), {S2} ends (q + 1) - (q + 1) {
// CHECK: transform.loom.unroll
// CHECK: mldim %t1 : {S1} floordiv (ends (i + 1) - (i + 1) - 1, 4), {S2} floordiv (ends (q + 1) - (q + 1) - 1, 4) {
// CHECK: mldim %t2 : {S1} ends (i + 1) - (i + 1), {S2} ends (q + 1) - (q + 1) {
// CHECK: transform.loom.distribute
// CHECK: mldim %t2 : {S1} ends (i + 1) - (i + 1) {
// CHECK: mldim %t3 : {S2} ends (q + 1) - (q + 1) {
// CHECK: transform.loom.reverse
// CHECK: mldim %t3 : {S2} q + 1 {
// CHECK: transform.loom.reverse
// CHECK: mldim %t{{[0-9]+}} : {S3} ends (p) - p {
// CHECK: transform.loom.reverse
// CHECK: mldim %t{{[0-9]+}} : {S3} p {

// A remainder is that of all in front of it.
// CHECK: transform.loom.reverse
// CHECK: transform.loom.tile
// CHECK: mldim %t{{[0-9]+}} : {S3} floordiv (ends (p) - p, 4) {
// CHECK-NEXT: mldim %t{{[0-9]+}} : {S3} (ends (p) - p) mod 4 {
// CHECK: transform.loom.reverse
// CHECK: mldim %t{{[0-9]+}} : {S3} ends ((ends (p) - p) mod 4) - ((ends (p) - p) mod 4) {
// CHECK: transform.loom.tile
// CHECK: mldim %t{{[0-9]+}} : {S3} (ends ((ends (p) - p) mod 4) - ((ends (p) - p) mod 4)) mod 2 {

// A loop that is fused again has its new dimension.
// CHECK: transform.loom.fuse
// CHECK: mldim %t{{[0-9]+}} : {S1} ends (i + 1) - (i + 1), {S2} ends (q + 1) - (q + 1) {

//--- program.mlir
func.func @f(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  } {loom.loop = "i"}
  scf.for %q = %c0 to %n step %c1 {
    %x = memref.load %a[%q] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%q] : memref<?xf64>
  } {loom.loop = "q"}
  scf.for %p = %c0 to %n step %c1 {
    %x = memref.load %b[%p] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    memref.store %y, %b[%p] : memref<?xf64>
  } {loom.loop = "p"}
  return
}

//--- script.mlir
module {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @f "i"
    %q = transform.loom.loop @f "q"
    %both = transform.loom.fuse %i, %q
    %shifted = transform.loom.shift %both by 1
    %reversed = transform.loom.reverse %shifted
    %main, %rest = transform.loom.unroll %reversed by 4
    %first, %second = transform.loom.distribute %rest at 1
    %again = transform.loom.reverse %second
    %p = transform.loom.loop @f "p"
    %p2 = transform.loom.reverse %p
    %p3 = transform.loom.reverse %p2
    %p4 = transform.loom.reverse %p3
    %tile, %point = transform.loom.tile %p4 by [4]
    %back = transform.loom.reverse %point
    %tiles:2 = transform.loom.tile %back by [2]
    %order = transform.loom.reverse %again
    %fused = transform.loom.fuse %first, %order
    transform.yield
  }
}
