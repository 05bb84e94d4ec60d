// What is refuted is told with its numbers, and with where they come from if only
// a call tells them. rt-2

// RUN: not broadloom check %s --function=constant 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error: 'tensor.extract': index 5 is outside axis 0, which has extent 3
// RUN: not broadloom check %s --function=last 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: error: 'tensor.extract': index ? (axis 0 of argument 'a') is outside axis 0, which has extent ? (axis 0 of argument 'a')

func.func @constant(%a: tensor<3xf32>) -> f32 {
  %c5 = arith.constant 5 : index
  %0 = tensor.extract %a[%c5] : tensor<3xf32>
  return %0 : f32
}
func.func @last(%a: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.extract %a[%d] : tensor<?xf32>
  return %0 : f32
}
