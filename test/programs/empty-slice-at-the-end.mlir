// RUN: split-file %s %t
// RUN: broadloom run %t/static.mlir --input=1x3xf32=1 --shapes | FileCheck %s
// RUN: broadloom run %t/dynamic.mlir --input=1x3xf32=1 --shapes | FileCheck %s
// RUN: not broadloom run %t/wrong.mlir --input=1x3xf32=1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: broadloom run %t/insert.mlir --input=1x3xf32=1 --input=0x3xf32= | FileCheck %s --check-prefix=INSERT
// RUN: broadloom run %t/self.mlir --input=1x3xf32=1 | FileCheck %s --check-prefix=INSERT

// bcast-7: a slice without an element may begin where its axis ends, whatever
// the types say of the axis.
// CHECK: 0x3
// INSERT: {{^}}[{{\[}}1. 1. 1.]]
// WRONG: wrong.mlir:2:8: error: 'tensor.extract_slice': the slice takes 1 elements of axis 0 from 1 on, but the extent is 1

//--- static.mlir
func.func @main(%a: tensor<1x3xf32>) -> tensor<?x3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %zero : tensor<1x3xf32>
  %left = arith.subi %n, %one : index
  %s = tensor.extract_slice %a[1, 0] [%left, 3] [1, 1] : tensor<1x3xf32> to tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
//--- dynamic.mlir
func.func @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %zero : tensor<?x3xf32>
  %left = arith.subi %n, %one : index
  %s = tensor.extract_slice %a[1, 0] [%left, 3] [1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
//--- wrong.mlir
func.func @main(%a: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %s = tensor.extract_slice %a[1, 0] [1, 3] [1, 1] : tensor<1x3xf32> to tensor<1x3xf32>
  return %s : tensor<1x3xf32>
}
//--- insert.mlir
func.func @main(%a: tensor<1x3xf32>, %b: tensor<0x3xf32>) -> tensor<1x3xf32> {
  %s = tensor.insert_slice %b into %a[1, 0] [0, 3] [1, 1] : tensor<0x3xf32> into tensor<1x3xf32>
  return %s : tensor<1x3xf32>
}
//--- self.mlir
func.func @main(%a: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %s = tensor.insert_slice %a into %a[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<1x3xf32>
  return %s : tensor<1x3xf32>
}
