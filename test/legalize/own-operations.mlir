// An element-wise operation of another dialect, which has nothing but the trait
// and a scalar body: it is checked and fused as TOSA's are.
// RUN: broadloom-opt %s --broadloom-prepare --convert-tosa-to-loom --loom-fuse-maps --loom-insert-guards --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @fused
// CHECK:         loom.require %{{.*}}, "test.sum_of_squares", "operands are not broadcast-compatible along axis 1
// CHECK:         loom.map
// CHECK:           math.exp
// CHECK:           arith.mulf
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:           loom.yield
// CHECK-NOT:     loom.map
// CHECK:         return
func.func @fused(%a: tensor<?x?xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.exp %b : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "test.sum_of_squares"(%a, %0) : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// -----

// verify-1
func.func @refuted(%a: tensor<2x4xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{operands are not broadcast-compatible along axis 1: extents 4 and 3}}
  %0 = "test.sum_of_squares"(%a, %b) : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}
