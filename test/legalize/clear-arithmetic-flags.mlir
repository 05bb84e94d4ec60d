// RUN: broadloom-opt %s --loom-clear-arithmetic-flags | FileCheck %s

// rt-13, el-11: no result is undefined.
// CHECK-LABEL: func.func @scalars
// CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
func.func @scalars(%i: i32, %j: i32, %x: f32) -> (i32, i32, f32, f16) {
  %0 = arith.addi %i, %j overflow<nsw, nuw> : i32
  %1 = arith.divsi %i, %j exact : i32
  %2 = arith.addf %x, %x fastmath<fast> : f32
  %3 = arith.truncf %x to_nearest_even : f32 to f16
  return %0, %1, %2, %3 : i32, i32, f32, f16
}

// The same on tensors and in bodies.
// CHECK-LABEL: func.func @tensors
// CHECK-NEXT: arith.addi %{{.*}}, %{{.*}} : tensor<?xi32>
// CHECK: arith.shrsi %{{.*}}, %{{.*}} : i32
func.func @tensors(%a: tensor<?xi32>, %b: tensor<4xi32>) -> (tensor<?xi32>, tensor<4xi32>) {
  %0 = arith.addi %a, %a overflow<nsw> : tensor<?xi32>
  %1 = loom.map(%x = %b : tensor<4xi32>) -> tensor<4xi32> {
    %2 = arith.shrsi %x, %x exact : i32
    loom.yield %2 : i32
  }
  return %0, %1 : tensor<?xi32>, tensor<4xi32>
}

// Arithmetic of constraints keeps nsw, and a rounding mode that is not the
// default is left to the check of the program.
// CHECK-LABEL: func.func @kept
// CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK: loom.constrain
// CHECK: arith.truncf %{{.*}} upward : f32 to f16
func.func @kept(%n: index, %m: index, %x: f32) -> f16 {
  %sum = arith.addi %n, %m overflow<nsw> : index
  %holds = arith.cmpi slt, %sum, %n : index
  loom.constrain "mine.op", %holds, "the sum is small"
  %0 = arith.truncf %x upward : f32 to f16
  return %0 : f16
}
