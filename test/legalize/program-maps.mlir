// RUN: broadloom-opt %s --split-input-file --broadloom-prepare --convert-tosa-to-loom --verify-diagnostics | FileCheck %s

// A map that the program itself has is guarded as an operation of TOSA is (rt-10).
// CHECK-LABEL: func.func @open
// CHECK: %[[A:.*]] = loom.shape_of %{{.*}} : tensor<?x4xf32>
// CHECK: %[[B:.*]] = loom.shape_of %{{.*}} : tensor<?xf32>
// CHECK: loom.constrain_broadcast "loom.map", %[[A]], %[[B]]
// CHECK: %[[R:.*]] = loom.broadcast %[[A]], %[[B]]
// CHECK: loom.constrain_result "loom.map", %[[R]] is tensor<5x4xf32>
// CHECK: loom.map
func.func @open(%a: tensor<?x4xf32>, %b: tensor<?xf32>) -> tensor<5x4xf32> {
  %r = loom.map(%x = %a : tensor<?x4xf32>, %y = %b : tensor<?xf32>) -> tensor<5x4xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %r : tensor<5x4xf32>
}

// -----

func.func @refuted(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{operands are not broadcast-compatible along axis 0: extents 3 and 4 (operand shapes 3 and 4)}}
  %r = loom.map(%x = %a : tensor<3xf32>, %y = %b : tensor<4xf32>) -> tensor<4xf32> {
    %s = arith.addf %x, %y : f32
    loom.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// -----

// Indices are data: they are checked before they are used (rt-9).
// CHECK-LABEL: func.func @gather
// CHECK-DAG: arith.minsi
// CHECK-DAG: arith.maxsi
// CHECK: loom.constrain "tosa.gather", %{{.*}}, "indices are from {0} to {1} but must be in [0, {2})"
// CHECK: tosa.gather
func.func @gather(%v: tensor<1x?x2xf32>, %i: tensor<1x?xi32>) -> tensor<1x?x2xf32> {
  %0 = tosa.gather %v, %i : (tensor<1x?x2xf32>, tensor<1x?xi32>) -> tensor<1x?x2xf32>
  return %0 : tensor<1x?x2xf32>
}
