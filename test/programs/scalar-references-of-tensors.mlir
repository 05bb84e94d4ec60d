// A reference that computes one element may read a tensor of numbers, an
// attribute, by constant indices: scalar code has no tensors.
// RUN: split-file %s %t
// RUN: broadloom run %t/program.mlir --shape-library=%t/library.mlir --function=main --input=3xf32=1,2,-3 | FileCheck %s
// CHECK: [ 9. 24. 29.]
// RUN: broadloom run %t/program.mlir --shape-library=%t/library.mlir --function=nested --input=3xf32=1,2,-3 | FileCheck %s --check-prefix=NESTED
// NESTED: [4. 5. 0.]
// RUN: broadloom run %t/program.mlir --shape-library=%t/library.mlir --function=own --input=2xf32=1,2 | FileCheck %s --check-prefix=OWN
// OWN: [6. 7.]
// RUN: not broadloom run %t/searched.mlir --shape-library=%t/library.mlir --input=2xf32=1,2 2>&1 | FileCheck %s --check-prefix=SEARCHED
// SEARCHED: searched.mlir:2:8: error: has a reference implementation that computes one element, and that reads a tensor of numbers in another way than by indices that are constants inside it; write one whose operands are tensors
// SEARCHED: library.mlir:{{[0-9]+}}:1: note: this is its reference implementation
// RUN: not broadloom check %t/outside.mlir --shape-library=%t/library.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: outside.mlir:2:8: error: has a reference implementation that computes one element

//--- library.mlir
irdl.dialect @u {
  irdl.operation @poly {
    %any = irdl.any
    %list = irdl.any
    irdl.operands(x: %any)
    irdl.results(y: %any)
    irdl.attributes {"coefficients" = %list}
  }
  irdl.operation @plus {
    %any = irdl.any
    %list = irdl.any
    irdl.operands(x: %any)
    irdl.results(y: %any)
    irdl.attributes {"terms" = %list}
  }
  irdl.operation @search {
    %any = irdl.any
    %list = irdl.any
    irdl.operands(x: %any)
    irdl.results(y: %any)
    irdl.attributes {"table" = %list}
  }
  irdl.operation @fourth {
    %any = irdl.any
    %list = irdl.any
    irdl.operands(x: %any)
    irdl.results(y: %any)
    irdl.attributes {"table" = %list}
  }
  irdl.operation @own {
    %any = irdl.any
    irdl.operands(x: %any)
    irdl.results(y: %any)
  }
}
func.func @own(%x: f32) -> f32 attributes {loom.implements = "u.own"} {
  %t = "tosa.const"() {values = dense<[4.0, 5.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c1 = arith.constant 1 : index
  %e = tensor.extract %t[%c1] : tensor<2xf32>
  %r = arith.addf %x, %e : f32
  return %r : f32
}
func.func @poly(%x: f32, %c: tensor<3xf32> {loom.attribute = "coefficients"}) -> f32 attributes {loom.implements = "u.poly"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %c[%c0] : tensor<3xf32>
  %b = tensor.extract %c[%c1] : tensor<3xf32>
  %d = tensor.extract %c[%c2] : tensor<3xf32>
  %0 = arith.mulf %d, %x : f32
  %1 = arith.addf %0, %b : f32
  %2 = arith.mulf %1, %x : f32
  %3 = arith.addf %2, %a : f32
  return %3 : f32
}
func.func private @first(%t: tensor<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %t[%c0] : tensor<2xf32>
  return %r : f32
}
func.func @plus(%x: f32, %t: tensor<2xf32> {loom.attribute = "terms"}) -> f32 attributes {loom.implements = "u.plus"} {
  %first = func.call @first(%t) : (tensor<2xf32>) -> f32
  %r = arith.addf %x, %first : f32
  return %r : f32
}
func.func @search(%x: f32, %t: tensor<2xf32> {loom.attribute = "table"}) -> f32 attributes {loom.implements = "u.search"} {
  %i = arith.fptosi %x : f32 to i64
  %at = arith.index_cast %i : i64 to index
  %r = tensor.extract %t[%at] : tensor<2xf32>
  return %r : f32
}
func.func @fourth(%x: f32, %t: tensor<2xf32> {loom.attribute = "table"}) -> f32 attributes {loom.implements = "u.fourth"} {
  %c3 = arith.constant 3 : index
  %r = tensor.extract %t[%c3] : tensor<2xf32>
  return %r : f32
}
//--- program.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "u.poly"(%x) {coefficients = dense<[2.0, 3.0, 4.0]> : tensor<3xf32>} : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @nested(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "u.plus"(%x) {terms = [3.0 : f32, 7.0 : f32]} : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @own(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "u.own"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- searched.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "u.search"(%x) {table = dense<[2.0, 3.0]> : tensor<2xf32>} : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
//--- outside.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "u.fourth"(%x) {table = dense<[2.0, 3.0]> : tensor<2xf32>} : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
