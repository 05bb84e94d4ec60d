// RUN: broadloom check %s --all | FileCheck %s
// RUN: broadloom run %s --input=2x2x2xf32="2 0 0 4 1 2 0 1" --input=2x2x1xf32="2 4 3 1" | FileCheck %s --check-prefix=VALUES
// RUN: not broadloom run %s --input=2x2x2xf32="2 0 0 4 1 2 1 2" --input=2x2x1xf32=1 2>&1 | FileCheck %s --check-prefix=SINGULAR
// RUN: not broadloom run %s --input=2x2x3xf32=1 --input=2x2x1xf32=1 2>&1 | FileCheck %s --check-prefix=SQUARE
// RUN: not broadloom shapes %s --input=2x2x2xf32 --input=3x2x1xf32 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: broadloom shapes %s --input=Bx2x2xf32 --input=Bx2xNxf32 | FileCheck %s --check-prefix=SHAPES

// The operands have the extents of one batch, and those that their letters tell (lin-1).
// CHECK: loom.linear_algebra {{.*}}linear-algebra.mlir:[[#@LINE+21]]:10
// CHECK: run-time  s1 = s2, else "axis 2 of operand 0 has extent s2, but axis 1 of operand 0 has s1"
// CHECK: run-time  s3 = s0, else "axis 0 of operand 1 has extent s3, but the batch has s0"
// CHECK: none refuted
// VALUES:      {{\[\[\[}}1.]
// VALUES-NEXT: [1.]]
// VALUES:      {{\[\[}}1.]
// VALUES-NEXT: [1.]]]
// VALUES:      [0 0]
// SINGULAR: linear-algebra.mlir:[[#@LINE+12]]:10: 'loom.linear_algebra': matrix 1 of the batch is singular: pivot 2 is zero
// SQUARE: linear-algebra.mlir:[[#@LINE+11]]:10: 'loom.linear_algebra': axis 2 of operand 0 has extent 3, but axis 1 of operand 0 has 2
// BATCH: linear-algebra.mlir:[[#@LINE+10]]:10: 'loom.linear_algebra': axis 0 of operand 1 has extent 3, but the batch has 2
// SHAPES: Bx2xN
// SHAPES: B
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x2x?xf32>) -> (tensor<?x2x?xf32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %count = tensor.dim %b, %c0 : tensor<?x2x?xf32>
  %columns = tensor.dim %b, %c2 : tensor<?x2x?xf32>
  %x = tensor.empty(%count, %columns) : tensor<?x2x?xf32>
  %i = tensor.empty(%count) : tensor<?xi32>
  %r:2 = loom.linear_algebra "solve" %a, %b into %x, %i : (tensor<?x?x?xf32>, tensor<?x2x?xf32>, tensor<?x2x?xf32>, tensor<?xi32>) -> (tensor<?x2x?xf32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?x2x?xf32>, tensor<?xi32>
}
