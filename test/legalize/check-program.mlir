// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --loom-check-program --split-input-file --verify-diagnostics | FileCheck %s

// What is valid stays as it is, by this project's rules: upstream's verifier
// refuses an extent of 0 and operands of two ranks.
// CHECK-LABEL: sym_name = "static"
// CHECK: "tosa.add"(%{{.*}}, %{{.*}}) : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
func.func @static(%a: tensor<0x3xf32>, %b: tensor<3xf32>) -> tensor<0x3xf32> {
  %0 = tosa.add %a, %b : (tensor<0x3xf32>, tensor<3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK-NEXT: tosa.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Each operation has its own error.
func.func @refuted(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xi32>) {
  // expected-error @+1 {{operands are not broadcast-compatible along axis 0: extents 2 and 3}}
  %0 = tosa.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  // expected-error @+1 {{'tosa.abs' op}}
  %1 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xi32>
  return %0, %1 : tensor<3xf32>, tensor<2xi32>
}

// -----

// Ranks follow from others where an operation needs them.
// CHECK-LABEL: func.func @ranks
// CHECK: tosa.reverse %{{.*}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @ranks(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.abs %a : (tensor<?x?xf32>) -> tensor<*xf32>
  %1 = tosa.reverse %0 {axis = 1 : i32} : (tensor<*xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
