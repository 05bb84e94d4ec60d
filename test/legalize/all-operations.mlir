// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-loom | FileCheck %s --check-prefixes=CHECK,LOOM
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-loom --convert-loom-to-linalg \
// RUN: | FileCheck %s --check-prefixes=CHECK,LINALG
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-linalg-rfc | FileCheck %s --check-prefixes=CHECK,LINALG

// Every element-wise operation goes through every way.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: = {{"?}}tosa.
// LOOM-COUNT-28: loom.map
// LINALG-COUNT-28: linalg.generic
// CHECK-NOT: = {{"?}}tosa.
func.func @floats(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>) {
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.ceil %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?xf32>) -> tensor<?xf32>
  %3 = tosa.erf %2 : (tensor<?xf32>) -> tensor<?xf32>
  %4 = tosa.exp %3 : (tensor<?xf32>) -> tensor<?xf32>
  %5 = tosa.floor %4 : (tensor<?xf32>) -> tensor<?xf32>
  %6 = tosa.log %5 : (tensor<?xf32>) -> tensor<?xf32>
  %7 = tosa.negate %6, %z, %z : (tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  %8 = tosa.reciprocal %7 : (tensor<?xf32>) -> tensor<?xf32>
  %9 = tosa.rsqrt %8 : (tensor<?xf32>) -> tensor<?xf32>
  %10 = tosa.sigmoid %9 : (tensor<?xf32>) -> tensor<?xf32>
  %11 = tosa.tanh %10 : (tensor<?xf32>) -> tensor<?xf32>
  %12 = tosa.sin %11 : (tensor<?xf32>) -> tensor<?xf32>
  %13 = tosa.cos %12 : (tensor<?xf32>) -> tensor<?xf32>
  %14 = tosa.add %13, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %15 = tosa.maximum %14, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %16 = tosa.minimum %15, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %17 = tosa.mul %16, %b, %s : (tensor<?xf32>, tensor<?xf32>, tensor<1xi8>) -> tensor<?xf32>
  %18 = tosa.pow %17, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %19 = tosa.sub %18, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %20 = tosa.equal %19, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %21 = tosa.greater %19, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %22 = tosa.greater_equal %19, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %23 = tosa.logical_and %20, %21 : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %24 = tosa.logical_or %22, %23 : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %25 = tosa.logical_xor %22, %24 : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  %26 = tosa.logical_not %25 : (tensor<?xi1>) -> tensor<?xi1>
  %27 = tosa.select %26, %19, %b : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %27, %26 : tensor<?xf32>, tensor<?xi1>
}

// CHECK-LABEL: func.func @integers
// CHECK-NOT: = {{"?}}tosa.
// LOOM-COUNT-10: loom.map
// LINALG-COUNT-10: linalg.generic
// CHECK-NOT: = {{"?}}tosa.
func.func @integers(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xf32> {
  %0 = tosa.arithmetic_right_shift %a, %b {round = true} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %1 = tosa.bitwise_and %0, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %2 = tosa.bitwise_or %1, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %3 = tosa.bitwise_xor %2, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %4 = tosa.bitwise_not %3 : (tensor<?xi32>) -> tensor<?xi32>
  %5 = tosa.clz %4 : (tensor<?xi32>) -> tensor<?xi32>
  %6 = tosa.intdiv %5, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %7 = tosa.logical_left_shift %6, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %8 = tosa.logical_right_shift %7, %b : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %9 = tosa.cast %8 : (tensor<?xi32>) -> tensor<?xf32>
  return %9 : tensor<?xf32>
}
