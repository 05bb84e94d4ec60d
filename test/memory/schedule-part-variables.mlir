// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/script.mlir print=true' -o /dev/null | FileCheck %s

// sch-11: tiles of a loop whose bounds depend on the band begin at multiples in
// its variable, to which the variable of the loop over 'i' was added.
// CHECK: transform.loom.skew
// CHECK: mldim %t3 : {S1} j + (i mod 4) {
// CHECK: transform.loom.tile
// CHECK: mldim %t2 : {S1} floordiv (i mod 4, 2) {
// CHECK-NEXT: mldim %t3 : {S1} floordiv (j + (i), 3) {
// CHECK-NEXT: mldim %t4 : {S1} (i mod 4) mod 2 {
// CHECK-NEXT: mldim %t5 : {S1} (j + (i)) mod 3 {

// In such a tile, a loop around need not begin with its first iteration.
// CHECK: transform.loom.tile
// CHECK: mldim %t4 : {S1} floordiv ((i mod 4) mod 2 - first ((i mod 4) mod 2), 2) {
// CHECK-NEXT: mldim %t5 : {S1} ((i mod 4) mod 2 - first ((i mod 4) mod 2)) mod 2 {

//--- program.mlir
func.func @main(%a: memref<?x?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c1 {
    scf.for %j = %c0 to %c12 step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}

//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @main "i"
    %j = transform.loom.loop @main "j"
    %tile, %point = transform.loom.tile %i by [4]
    %skewed = transform.loom.skew %point, %j by 1
    %band:4 = transform.loom.tile %point, %skewed by [2, 3]
    %last:2 = transform.loom.tile %band#2 by [2]
    transform.yield
  }
}
