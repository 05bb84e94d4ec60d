// RUN: broadloom-opt %s --broadloom-legalize | FileCheck %s --check-prefixes=CHECK,LEGAL
// RUN: broadloom-opt %s --loom-widen-elements | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: broadloom-opt %s --broadloom-legalize --broadloom-guard --loom-lower-tosa | FileCheck %s --check-prefixes=CHECK,LOWER

// el-12: what nothing computes with becomes wider, without loss.

// CHECK-LABEL: func.func @float8
// ALONE: tosa.cast %{{.*}} : (tensor<1x?x4xf8E4M3FN>) -> tensor<1x?x4xf16>
// ALONE: tosa.cast %{{.*}} : (tensor<1x4x4xf8E4M3FN>) -> tensor<1x4x4xf16>
// ALONE: tosa.matmul {{.*}} (tensor<1x?x4xf16>, tensor<1x4x4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x?x4xf16>
// LEGAL: arith.truncf %{{.*}} : f32 to f16
// LEGAL: arith.truncf %{{.*}} : f32 to f16
// LEGAL: tosa.matmul {{.*}} (tensor<1x?x4xf16>, tensor<1x4x4xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x?x4xf16>
func.func @float8(%a: tensor<1x?x4xf8E4M3FN>, %b: tensor<1x4x4xf8E4M3FN>, %z: tensor<1xf8E4M3FN>) -> tensor<1x?x4xf16> {
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x?x4xf8E4M3FN>, tensor<1x4x4xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x?x4xf16>
  return %0 : tensor<1x?x4xf16>
}

// The result is narrow again.
// CHECK-LABEL: func.func @pool8
// LEGAL: tosa.max_pool2d {{.*}} (tensor<1x?x?x2xf16>) -> tensor<1x?x?x2xf16>
// LEGAL: loom.map
// LEGAL: return %{{.*}} : tensor<1x?x?x2xf8E5M2>
func.func @pool8(%i: tensor<1x?x?x2xf8E5M2>) -> tensor<1x?x?x2xf8E5M2> {
  %0 = tosa.max_pool2d %i {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x2xf8E5M2>) -> tensor<1x?x?x2xf8E5M2>
  return %0 : tensor<1x?x?x2xf8E5M2>
}

// CHECK-LABEL: func.func @argmax64
// ALONE: tosa.argmax {{.*}} -> tensor<?xi32>
// ALONE: tosa.cast %{{.*}} : (tensor<?xi32>) -> tensor<?xi64>
// LEGAL: tosa.argmax {{.*}} -> tensor<?xi32>
// LEGAL: arith.extsi %{{.*}} : i32 to i64
func.func @argmax64(%a: tensor<?x?xf32>) -> tensor<?xi64> {
  %0 = tosa.argmax %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// LEGAL-LABEL: func.func @int4(
// LEGAL-SAME: %{{.*}}: tensor<2xi8>) -> (tensor<2xi8>, tensor<3xi8>)
// LEGAL: dense<[-8, 7, -1]> : tensor<3xi8>
func.func @int4(%a: tensor<2xi4>) -> (tensor<2xi4>, tensor<3xi4>) {
  %0 = "tosa.const"() <{values = dense<[-8, 7, -1]> : tensor<3xi4>}> : () -> tensor<3xi4>
  return %a, %0 : tensor<2xi4>, tensor<3xi4>
}

// LOWER-LABEL: func.func @int48
// LOWER-SAME: -> tensor<1x?x?xi64>
// LOWER: arith.muli {{.*}} : i64
// LOWER-NOT: i48
func.func @int48(%a: tensor<1x?x?xi16>, %b: tensor<1x?x?xi16>, %z: tensor<1xi16>) -> tensor<1x?x?xi48> {
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x?x?xi16>, tensor<1x?x?xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x?x?xi48>
  return %0 : tensor<1x?x?xi48>
}

// Zero points that are arguments.
// LOWER-LABEL: func.func @zeroPoints
// LOWER: tensor.extract %{{.*}} : tensor<1xi8>
// LOWER: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
func.func @zeroPoints(%a: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>, %z: tensor<1xi8>) -> tensor<1x3x3x3xi32> {
  %0 = tosa.conv2d %a, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x3xi32>
  return %0 : tensor<1x3x3x3xi32>
}

// LOWER-LABEL: func.func @multipliers
// LOWER: arith.shrsi {{.*}} : i64
func.func @multipliers(%a: tensor<?xi8>, %m: tensor<1xi16>, %s: tensor<1xi8>, %z: tensor<1xi8>) -> tensor<?xi8> {
  %0 = tosa.rescale %a, %m, %s, %z, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<?xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

// What is computed with as it is, or moved alone, stays.
// CHECK-LABEL: func.func @others
// ALONE: tosa.matmul {{.*}} (tensor<1x?x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4xf32>
// ALONE-NEXT: tosa.reverse {{.*}} : (tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
func.func @others(%a: tensor<1x?x4xf32>, %b: tensor<1x4x4xf32>, %i: tensor<?xf8E5M2>) -> (tensor<1x?x4xf32>, tensor<?xf8E5M2>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x?x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4xf32>
  %1 = tosa.reverse %i {axis = 0 : i32} : (tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
  return %0, %1 : tensor<1x?x4xf32>, tensor<?xf8E5M2>
}
