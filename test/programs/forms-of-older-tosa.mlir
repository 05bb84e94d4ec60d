// RUN: broadloom run %s --input="2x3xf32=-1 2 3 4 5 -6" | FileCheck %s
// RUN: broadloom check %s --verbose 2>&1 | FileCheck %s --check-prefix=NOTES

// Forms that TOSA had in LLVM 16 to 21, and that no operation of today has.

// CHECK: {{^\[\[}}0. 1.]
// CHECK-NEXT: [1. 1.]
// CHECK-NEXT: [1. 0.]]

// NOTES: forms-of-older-tosa.mlir:{{[0-9]+}}:11: note: 'tosa.const' has 'value' as 'values' now (4 operations, this one first)
// NOTES: note: 'tosa.mul' has its shift as an operand now
// NOTES: note: 'tosa.transpose' has 'perms' as an attribute now
// NOTES: note: 'tosa.pad' has its padding as a shape now
// NOTES: note: 'tosa.clamp' has one pair of limits now
// NOTES: note: 'tosa.cond_if' says the type of its condition now
// NOTES: 'tosa.max_pool2d' has 'kernel' in today's form

func.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %half = "tosa.const"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = "tosa.mul"(%a, %half) {shift = 0 : i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %order = "tosa.const"() <{value = dense<[1, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %1 = tosa.transpose %0, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %padding = "tosa.const"() {value = dense<[[0, 0], [0, 1]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
  %2 = "tosa.pad"(%1, %padding) : (tensor<3x2xf32>, tensor<2x2xi32>) -> tensor<3x3xf32>
  %3 = tosa.slice %2 {size = array<i64: 3, 2>, start = array<i64: 0, 0>} : (tensor<3x3xf32>) -> tensor<3x2xf32>
  %4 = "tosa.clamp"(%3) {max_fp = 1.0 : f32, max_int = 1 : i64, min_fp = 0.0 : f32, min_int = 0 : i64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %yes = "tosa.const"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %5 = tosa.cond_if %yes -> (tensor<3x2xf32>) {
    tosa.yield %4 : tensor<3x2xf32>
  } else {
    %n = tosa.negate %4 {quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    tosa.yield %n : tensor<3x2xf32>
  }
  %6 = tosa.reshape %5 {new_shape = array<i64: 1, 3, 2, 1>} : (tensor<3x2xf32>) -> tensor<1x3x2x1xf32>
  %7 = "tosa.max_pool2d"(%6) {kernel = [1, 1], pad = [0, 0, 0, 0], stride = [1, 1]} : (tensor<1x3x2x1xf32>) -> tensor<1x3x2x1xf32>
  %8 = "tosa.reshape"(%7) {new_shape = [3, 2]} : (tensor<1x3x2x1xf32>) -> tensor<3x2xf32>
  return %8 : tensor<3x2xf32>
}
