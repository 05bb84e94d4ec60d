// The arithmetic of tensors becomes loops, and nothing is folded: x xor x of an
// open extent is no constant.
// RUN: broadloom-opt %s --loom-elementwise-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @own
// CHECK: linalg.generic
// CHECK: arith.xori {{.*}} : i8
// CHECK-NOT: arith.constant
func.func @own(%a: tensor<?xi8>) -> tensor<?xi8> {
  %0 = arith.xori %a, %a : tensor<?xi8>
  return %0 : tensor<?xi8>
}

// CHECK-LABEL: func.func @scalars
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: return
func.func @scalars(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}
