// Indices that are constants, or elements of constants, are known when the
// program is compiled: one that leaves its axis is an error with its number, and
// others need no guard (rt-9, ext-2).
// RUN: split-file %s %t
// RUN: not broadloom check %t/gather.mlir 2>&1 | FileCheck %s --check-prefix=GATHER
// GATHER: gather.mlir:3:8: error: 'tosa.gather': indices are from 0 to 3 but must be in [0, 3)
// RUN: not broadloom check %t/scalar.mlir 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: scalar.mlir:5:8: error: 'tensor.extract': index -9 is outside axis 0, which has extent 3
// RUN: not broadloom check %t/list.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: list.mlir:6:8: error: 'tensor.extract': index 9 is outside axis 0, which has extent 3
// RUN: broadloom check %t/inside.mlir | FileCheck %s --check-prefix=INSIDE
// INSIDE: none at run time, none refuted
// RUN: broadloom run %t/inside.mlir --input=1x3x1xf32="5 6 7" --input=3xf32="1 2 3" | FileCheck %s --check-prefix=VALUES
// VALUES: {{\[\[\[7.\]}}
// VALUES-NEXT: {{\[5.\]\]\]}}
// VALUES-NEXT: 3
// No index at all is outside of nothing.
// RUN: broadloom run %t/none.mlir --input=1x0x1xf32= --shapes | FileCheck %s --check-prefix=NONE
// NONE: 1x0x1

//--- gather.mlir
func.func @main(%a: tensor<1x3x2xf32>) -> tensor<1x2x2xf32> {
  %i = "tosa.const"() {values = dense<[[0, 3]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %0 = tosa.gather %a, %i : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}
//--- scalar.mlir
func.func @main(%a: tensor<3xf32>) -> f32 {
  %s = arith.constant dense<-9> : tensor<i32>
  %v = tensor.extract %s[] : tensor<i32>
  %i = arith.index_cast %v : i32 to index
  %0 = tensor.extract %a[%i] : tensor<3xf32>
  return %0 : f32
}
//--- list.mlir
func.func @main(%a: tensor<3xf32>) -> f32 {
  %s = arith.constant dense<[1, 9]> : tensor<2xi32>
  %c1 = arith.constant 1 : index
  %v = tensor.extract %s[%c1] : tensor<2xi32>
  %i = arith.index_castui %v : i32 to index
  %0 = tensor.extract %a[%i] : tensor<3xf32>
  return %0 : f32
}
//--- inside.mlir
func.func @main(%a: tensor<1x3x1xf32>, %b: tensor<3xf32>) -> (tensor<1x2x1xf32>, f32) {
  %i = "tosa.const"() {values = dense<[[2, 0]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %0 = tosa.gather %a, %i : (tensor<1x3x1xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
  %s = arith.constant dense<2> : tensor<i64>
  %v = tensor.extract %s[] : tensor<i64>
  %k = arith.index_cast %v : i64 to index
  %1 = tensor.extract %b[%k] : tensor<3xf32>
  return %0, %1 : tensor<1x2x1xf32>, f32
}
//--- none.mlir
func.func @main(%a: tensor<1x?x1xf32>) -> tensor<1x0x1xf32> {
  %i = "tosa.const"() {values = dense<> : tensor<1x0xi32>} : () -> tensor<1x0xi32>
  %0 = tosa.gather %a, %i : (tensor<1x?x1xf32>, tensor<1x0xi32>) -> tensor<1x0x1xf32>
  return %0 : tensor<1x0x1xf32>
}
