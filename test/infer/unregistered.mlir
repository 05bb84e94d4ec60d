// RUN: broadloom-opt %s --loom-refine-shapes --allow-unregistered-dialect | FileCheck %s

// Of an operation whose dialect is not there nothing is known.
// CHECK-LABEL: func.func @unknown
// CHECK: "any.same"(%arg0) : (tensor<4xf32>) -> tensor<?xf32>
// CHECK: "any.number"(%arg1) : (index) -> index
func.func @unknown(%a: tensor<4xf32>, %n: index) -> (tensor<?xf32>, index) {
  %0 = "any.same"(%a) : (tensor<4xf32>) -> tensor<?xf32>
  %1 = "any.number"(%n) : (index) -> index
  return %0, %1 : tensor<?xf32>, index
}
