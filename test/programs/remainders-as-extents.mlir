// ext-5: an extent that unsigned division makes of a difference is a word of
// which a guard finds that it is not negative. That the sum with a padding fits
// is then a limit of it, and is compared without a number that does not fit.
//
// RUN: %broadloom run %s --function=of_difference --input=9xf32=1 | FileCheck %s
// RUN: %broadloom run %s --function=of_difference --input=4xf32=1 | FileCheck %s --check-prefix=WRAPS
// RUN: %broadloom shapes %s --function=of_difference --input=9 | FileCheck %s --check-prefix=SHAPE
// RUN: %broadloom run %s --function=of_constants | FileCheck %s --check-prefix=NONE
// CHECK: [1. 2. 1.]
// SHAPE: {{^}}3{{$}}
// 4 - 5 is 2^64 - 1 without a sign, of which 0 is left.
// WRAPS: [1. 2.]{{$}}
func.func @of_difference(%a: tensor<?xf32>) -> (tensor<?xf32>) {
%v2 = "tosa.const"() {values = dense<2.0> : tensor<1xf32>} : () -> tensor<1xf32>
%c = arith.constant 5.0 : f32
%m5 = arith.constant 5 : index
%k3 = arith.constant 3 : index
%c0 = arith.constant 0 : index
%d = tensor.dim %a, %c0 : tensor<?xf32>
%q = arith.subi %d, %m5 : index
%y = arith.remui %q, %k3 : index
%v8 = tensor.splat %c[%y] : tensor<?xf32>
%s11 = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
%s12 = tosa.dim %v8 {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
%s13 = tosa.concat_shape %s11, %s12 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
%s14 = "tosa.const"() {values = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
%v15 = tosa.pad %v2, %s13, %s14 {} : (tensor<1xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
return %v15 : tensor<?xf32>
}

// 2^63 + 1 modulo 3 is 0.
// NONE: [1. 2.]{{$}}
func.func @of_constants() -> tensor<?xf32> {
  %0 = "tosa.const"() {values = dense<2.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c5 = arith.constant 5.0 : f32
  %a = arith.constant -9223372036854775807 : index
  %c3 = arith.constant 3 : index
  %n = arith.remui %a, %c3 : index
  %1 = tensor.splat %c5[%n] : tensor<?xf32>
  %one = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %dim = tosa.dim %1 {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %sizes = tosa.concat_shape %one, %dim : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %value = "tosa.const"() {values = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %2 = tosa.pad %0, %sizes, %value : (tensor<1xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
