// RUN: broadloom-opt %s --loom-generalize-maps | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4xi32>) outs(%{{.*}} : tensor<4xi32>)
// CHECK: arith.addi
// CHECK-NOT: linalg.map
func.func @static(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.map ins(%x : tensor<4xi32>) outs(%y : tensor<4xi32>) (%a: i32, %o: i32) {
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  }
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?xi32>)
func.func @dynamic(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.map ins(%x : tensor<?xi32>) outs(%y : tensor<?xi32>) (%a: i32, %o: i32) {
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  }
  return %r : tensor<?xi32>
}

// A map that does not read its destination stays.
// CHECK-LABEL: func.func @others
// CHECK: linalg.map
func.func @others(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.map ins(%x : tensor<?xi32>) outs(%y : tensor<?xi32>) (%a: i32, %o: i32) {
    %s = arith.addi %a, %a : i32
    linalg.yield %s : i32
  }
  return %r : tensor<?xi32>
}
