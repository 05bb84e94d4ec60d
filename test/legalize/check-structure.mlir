// RUN: broadloom-opt %s --loom-check-structure --split-input-file | FileCheck %s
// RUN: not broadloom-opt %S/Inputs/unsound.mlir --allow-unregistered-dialect \
// RUN:   --mlir-very-unsafe-disable-verifier-on-parsing --loom-check-structure 2>&1 \
// RUN: | FileCheck %s --check-prefix=UNSOUND

// Every other step of legalization begins with the check.
// RUN: not broadloom-opt %S/Inputs/unsound.mlir --allow-unregistered-dialect \
// RUN:   --mlir-very-unsafe-disable-verifier-on-parsing --loom-cast-calls 2>&1 \
// RUN: | FileCheck %s --check-prefix=UNSOUND
// UNSOUND: unsound.mlir:3:8: error: 'tosa.abs' op

// What is sound stays, whether or not it broadcasts: that is no matter of
// structure.
// CHECK-LABEL: func.func @static
// CHECK-NEXT: tosa.add %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
func.func @static(%a: tensor<3xf32>, %b: tensor<1xf32>) -> tensor<3xf32> {
  %0 = tosa.add %a, %b : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NEXT: tosa.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
