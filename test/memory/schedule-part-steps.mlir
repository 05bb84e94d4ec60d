// RUN: split-file %s %t
// RUN: broadloom-opt %t/program.mlir --loom-apply-schedule='file=%t/script.mlir print=true' -o /dev/null | FileCheck %s

// sch-11: a tile has three iterations of a loop that begins with another
// number and goes in steps of 2.
// CHECK: transform.loom.skew
// CHECK: mldim %t3 : {S1} j + (i mod 3) {
// CHECK: transform.loom.tile
// CHECK: mldim %t3 : {S1} floordiv (floordiv (j + (i mod 3) - first (j + (i mod 3)), 2), 3) {
// CHECK-NEXT: mldim %t4 : {S1} (floordiv (j + (i mod 3) - first (j + (i mod 3)), 2)) mod 3 {

// A loop of tiles counts them, and one in steps of 3 is counted as well.
// CHECK: transform.loom.fuse
// CHECK: mldim %t6 : {S1} floordiv (i, 3) - first (floordiv (i, 3)), {S2} floordiv (q - first (q), 3) {
// CHECK: transform.loom.tile
// CHECK: mldim %t6 : {S1} floordiv (floordiv (i, 3) - first (floordiv (i, 3)), 2), {S2} floordiv (floordiv (q - first (q), 3), 2) {

//--- program.mlir
func.func @main(%a: memref<?x?xf64>, %b: memref<?xf64>, %x: f64) attributes {loom.memory} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %c24 = arith.constant 24 : index
  scf.for %i = %c0 to %c12 step %c1 {
    scf.for %j = %c0 to %c24 step %c2 {
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  scf.for %q = %c3 to %c24 step %c3 {
    memref.store %x, %b[%q] : memref<?xf64>
  } {loom.loop = "q"}
  return
}

//--- script.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @main "i"
    %j = transform.loom.loop @main "j"
    %q = transform.loom.loop @main "q"
    %tile, %point = transform.loom.tile %i by [3]
    %skewed = transform.loom.skew %point, %j by 1
    %tiles:2 = transform.loom.tile %skewed by [3]
    %fused = transform.loom.fuse %tile, %q
    %last:2 = transform.loom.tile %fused by [2]
    transform.yield
  }
}
