// Functions in definitions, those that follow from traits, and those of
// element-wise operations count in every pipeline, whatever else the program has.
// sf-1, sf-9, lib-2, lib-3

// RUN: split-file %s %t
// RUN: not broadloom-opt %t/refuted.mlir --pass-pipeline="builtin.module(broadloom-check)" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUTED
// RUN: not broadloom-opt %t/refuted-beside.mlir --pass-pipeline="builtin.module(broadloom-check)" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUTED
// RUN: not broadloom-opt %t/refuted.mlir --broadloom-legalize --broadloom-guard -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUTED
// RUN: not broadloom-opt %t/refuted.mlir --broadloom-prepare --convert-tosa-to-loom --loom-refine-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUTED
// RUN: not broadloom-opt %t/refuted.mlir --broadloom-emit-linalg -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUTED
// REFUTED: error: 'test.square': a square has as many rows as columns, but this has 2 and 3

// RUN: broadloom-opt %t/open.mlir --pass-pipeline="builtin.module(broadloom-check)" | FileCheck %s
// RUN: broadloom-opt %t/open-beside.mlir --pass-pipeline="builtin.module(broadloom-check)" | FileCheck %s
// RUN: broadloom-opt %t/open-behind.mlir --pass-pipeline="builtin.module(broadloom-check)" | FileCheck %s
// RUN: broadloom-opt %t/open.mlir --broadloom-legalize --broadloom-guard | FileCheck %s
// RUN: broadloom-opt %t/open.mlir --broadloom-emit-loom | FileCheck %s
// CHECK: loom.require %{{.*}}, "test.square", "a square has as many rows as columns

// RUN: broadloom-opt %t/traits.mlir --broadloom-check | FileCheck %s --check-prefix=TRAITS
// TRAITS: loom.require %{{.*}}, "test.infer_broadcast"
// TRAITS: loom.require %{{.*}}, "test.same_shape", "operand {{.*}} has shape

// RUN: broadloom-opt %t/element-wise.mlir --broadloom-check | FileCheck %s --check-prefix=EVEN
// RUN: broadloom-opt %t/element-wise.mlir --broadloom-emit-linalg | FileCheck %s --check-prefix=EVEN
// EVEN: test.even_sum{{.*}}an even number of elements
// RUN: not broadloom-opt %t/odd.mlir --broadloom-check -o /dev/null 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: 'test.even_sum': the first operand has an even number of elements, but this has 3

//--- refuted.mlir
func.func @main(%a: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "test.square"(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
//--- refuted-beside.mlir
func.func @main(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<1x3xf32>) {
  %0 = "test.square"(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  %1 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %0, %1 : tensor<*xf32>, tensor<1x3xf32>
}
//--- open.mlir
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "test.square"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
//--- open-beside.mlir
func.func @main(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<1x?xf32>) {
  %0 = "test.square"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<1x?xf32>
}
//--- open-behind.mlir
func.func @other(%a: tensor<?x?xf32>) -> tensor<1x?xf32> {
  %0 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.exp %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "test.square"(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
//--- traits.mlir
func.func @broadcast(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "test.infer_broadcast"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @same(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "test.same_shape"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- element-wise.mlir
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "test.even_sum"(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
//--- odd.mlir
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "test.even_sum"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
