// RUN: split-file %s %t
// RUN: broadloom run %t/constant.mlir --input="2x3xi32=1 2 3 4 5 6" | FileCheck %s --check-prefix=CONSTANT
// RUN: broadloom run %t/constant.mlir --input="2x3xi32=1 2 3 4 5 6" --strategy=rfc | FileCheck %s --check-prefix=CONSTANT
// RUN: broadloom run %t/operand.mlir --input="3xi32=5 6 7" --input=i32=6 --input="2xi1=1 0" | FileCheck %s --check-prefix=OPERAND
// RUN: broadloom run %t/operand.mlir --input="3xi32=5 6 7" --input=i32=6 --input="2xi1=1 0" --strategy=rfc | FileCheck %s --check-prefix=OPERAND
// RUN: broadloom run %t/true.mlir --input=1x2xf64=1 --input=3xi32=1 | FileCheck %s --check-prefix=TRUE
// RUN: broadloom run %t/true.mlir --input=1x2xf64=1 --input=0xi32=1 | FileCheck %s --check-prefix=TRUE

// The lowering of a reversal or a transposition folds the arithmetic around it,
// and so do those passes with what is computed beside it. What a fold makes a
// constant or an operand keeps its value and its extents (rt-6).

// CONSTANT: {{^}}[{{\[}}-1 -1 -1]]
// OPERAND: [6 6 6]
// OPERAND-NEXT: [False]
// OPERAND-NEXT: [False True]
// TRUE: [ True]

//--- constant.mlir
func.func @main(%a: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %p = tosa.reduce_max %a {axis = 0 : i32} : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %n = tosa.bitwise_not %p : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %x = tosa.bitwise_xor %n, %p : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %t = tosa.reverse %x {axis = 1 : i32} : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %t : tensor<?x?xi32>
}
//--- operand.mlir
func.func @main(%a: tensor<?xi32>, %b: tensor<i32>, %d: tensor<?xi1>) -> (tensor<?xi32>, tensor<?xi1>, tensor<?xi1>) {
  %c = tosa.equal %a, %b : (tensor<?xi32>, tensor<i32>) -> tensor<?xi1>
  %s = tosa.select %c, %a, %b : (tensor<?xi1>, tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %r = tosa.reduce_all %c {axis = 0 : i32} : (tensor<?xi1>) -> tensor<?xi1>
  %t = tosa.reverse %d {axis = 0 : i32} : (tensor<?xi1>) -> tensor<?xi1>
  return %s, %r, %t : tensor<?xi32>, tensor<?xi1>, tensor<?xi1>
}
//--- true.mlir
func.func @main(%v: tensor<?x?xf64>, %a: tensor<?xi32>) -> tensor<?xi1> {
  %g = tosa.greater_equal %a, %a : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  %r = tosa.reduce_all %g {axis = 0 : i32} : (tensor<?xi1>) -> tensor<?xi1>
  %t = tosa.transpose %v {perms = array<i32: 1, 0>} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?xi1>
}
