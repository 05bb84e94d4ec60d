// RUN: broadloom-opt %s --loom-isolate-padding | FileCheck %s

// rt-1: the division may fail, and stands where padding is computed.
// CHECK-LABEL: func.func @static
// CHECK-SAME: %{{.*}}: tensor<4xindex>, %[[N:.*]]: index
// CHECK: tensor.pad %{{.*}} low[1] high[2]
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: arith.cmpi ult
// CHECK: %[[R:.*]] = scf.if
// CHECK-NOT: arith.divui
// CHECK: } else {
// CHECK-NEXT: arith.divui %[[N]], %[[I]]
// CHECK: tensor.yield %[[R]]
func.func @static(%a: tensor<4xindex>, %n: index) -> tensor<7xindex> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    %x = arith.divui %n, %i : index
    tensor.yield %x : index
  } : tensor<4xindex> to tensor<7xindex>
  return %0 : tensor<7xindex>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK: tensor.pad %[[A]] low[%[[N]]] high[0]
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK: %[[D:.*]] = tensor.dim %[[A]]
// CHECK: arith.subi %[[I]], %[[N]]
// CHECK: arith.cmpi ult, %{{.*}}, %[[D]]
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: tensor.extract %[[B]][%[[I]]]
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.pad %a low[%n] high[0] {
  ^bb0(%i: index):
    %x = tensor.extract %b[%i] : tensor<?xf32>
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What has no guard stays.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scf.if
// CHECK: return
func.func @others(%a: tensor<?xf32>, %s: tensor<f32>) -> tensor<?xf32> {
  %0 = tensor.pad %a low[1] high[0] {
  ^bb0(%i: index):
    %x = tensor.extract %s[] : tensor<f32>
    %y = arith.addf %x, %x : f32
    tensor.yield %y : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
