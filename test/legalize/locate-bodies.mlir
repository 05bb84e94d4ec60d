// RUN: broadloom-opt %s --loom-locate-bodies --mlir-print-op-generic --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: broadloom-opt %s --mlir-print-op-generic --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=BEFORE

// The parser makes the bodies of named operations without locations.
// BEFORE-LABEL: sym_name = "named"
// BEFORE: "arith.mulf"{{.*}} loc(unknown)

// CHECK-LABEL: sym_name = "named"
// CHECK: "linalg.matmul"
// CHECK: "arith.mulf"{{.*}} loc({{.*}}locate-bodies.mlir":[[@LINE+3]]:8
// CHECK: "linalg.yield"{{.*}} loc({{.*}}locate-bodies.mlir":[[@LINE+2]]:8
func.func @named(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = "dynamic"
// CHECK: "arith.maximumf"{{.*}} loc({{.*}}locate-bodies.mlir":[[@LINE+2]]:8
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.max ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A body that is written keeps its locations.
// CHECK-LABEL: sym_name = "others"
// CHECK: "arith.addf"{{.*}} loc({{.*}}locate-bodies.mlir":[[@LINE+3]]:10
func.func @others(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.map ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) (%x: f32, %o: f32) {
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  return %0 : tensor<?xf32>
}
