// A value that is read with strides of 0, or is a part of another, becomes
// another shape with the elements that it has.
// RUN: broadloom run %s --function=chosen --input="1x3xf32=1 2 3" --input="2x2x3xi1=1" | FileCheck %s --check-prefix=CHOSEN
// RUN: broadloom run %s --function=chosen --strategy=rfc --input="1x3xf32=1 2 3" --input="2x2x3xi1=1" | FileCheck %s --check-prefix=CHOSEN
// RUN: broadloom run %s --function=beside --input="2x3xf32=1 2 3 4 5 6" --input="2x1x1xi1=1 0" --input=i1=1 | FileCheck %s --check-prefix=BESIDE
// RUN: broadloom run %s --function=beside --strategy=rfc --input="2x3xf32=1 2 3 4 5 6" --input="2x1x1xi1=1 0" --input=i1=1 | FileCheck %s --check-prefix=BESIDE
// RUN: broadloom run %s --function=part --input="4x3xi1=1 1 1 0 1 0 1 0 0 1 1 0" | FileCheck %s --check-prefix=PART
// RUN: broadloom run %s --function=part --strategy=rfc --input="4x3xi1=1 1 1 0 1 0 1 0 0 1 1 0" | FileCheck %s --check-prefix=PART
// RUN: not broadloom run %s --function=part --input="4x2xi1=1" 2>&1 | FileCheck %s --check-prefix=NARROW

// CHOSEN: {{\[}}[1. 2. 3.]
// CHOSEN:  [1. 2. 3.]
// CHOSEN:  [1. 2. 3.]
// CHOSEN:  [1. 2. 3.]]
func.func @chosen(%a: tensor<?x?xf32>, %c: tensor<?x?x?xi1>) -> tensor<?x?xf32> {
  %v = tosa.select %c, %a, %a : (tensor<?x?x?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %d0 = tosa.dim %v {axis = 0 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %d1 = tosa.dim %v {axis = 1 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %d2 = tosa.dim %v {axis = 2 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %m = tosa.mul_shape %d0, %d1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %s = tosa.concat_shape %m, %d2 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %r = tosa.reshape %v, %s : (tensor<?x?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Other operations read the value that is broadcast.
// BESIDE: {{\[}}[1. 2. 3.]
// BESIDE:  [4. 5. 6.]
// BESIDE:  [1. 2. 3.]
// BESIDE:  [4. 5. 6.]]
// BESIDE: {{\[}}[ 6.]
// BESIDE:  [15.]]
// BESIDE: {{\[}}[1. 2. 3.]
// BESIDE:  [4. 5. 6.]]
func.func @beside(%a: tensor<?x?xf32>, %c: tensor<?x?x?xi1>, %p: tensor<i1>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %u = tosa.select %p, %a, %a : (tensor<i1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %w = tosa.select %p, %u, %a : (tensor<i1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = tosa.reduce_sum %w {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %once = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.tile %w, %once : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %v = tosa.select %c, %w, %w : (tensor<?x?x?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %d0 = tosa.dim %v {axis = 0 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %d1 = tosa.dim %v {axis = 1 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %d2 = tosa.dim %v {axis = 2 : i32} : (tensor<?x?x?xf32>) -> !tosa.shape<1>
  %m = tosa.mul_shape %d0, %d1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %s = tosa.concat_shape %m, %d2 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %r = tosa.reshape %v, %s : (tensor<?x?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %r, %sum, %t : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// The rows but the first, which a padding and a map read, too.
// PART: [False  True False  True False False  True  True False]
// PART: [ True  True  True  True  True  True]
// PART: [ True  True False  True False  True]
// PART: [ True  True  True False False  True]
// PART: [ True  True  True  True False  True]
// NARROW: 'tosa.logical_and': {{.*}}2
func.func @part(%a: tensor<?x?xi1>) -> (tensor<9xi1>, tensor<5x6xi1>) {
  %no = "tosa.const"() {values = dense<false> : tensor<i1>} : () -> tensor<i1>
  %x = tosa.logical_xor %a, %no : (tensor<?x?xi1>, tensor<i1>) -> tensor<4x?xi1>
  %all = tosa.reduce_all %x {axis = 0 : i32} : (tensor<4x?xi1>) -> tensor<1x?xi1>
  %none = tosa.logical_and %no, %all : (tensor<i1>, tensor<1x?xi1>) -> tensor<1x3xi1>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = tensor.dim %x, %zero : tensor<4x?xi1>
  %rest = arith.subi %rows, %one : index
  %columns = tensor.dim %x, %one : tensor<4x?xi1>
  %part = tensor.extract_slice %x[1, 0] [%rest, %columns] [1, 1] : tensor<4x?xi1> to tensor<?x?xi1>
  %ends = tosa.const_shape {values = dense<[1, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %yes = "tosa.const"() {values = dense<[true]> : tensor<1xi1>} : () -> tensor<1xi1>
  %padded = tosa.pad %part, %ends, %yes : (tensor<?x?xi1>, !tosa.shape<4>, tensor<1xi1>) -> tensor<5x6xi1>
  %y = tosa.logical_xor %part, %none : (tensor<?x?xi1>, tensor<1x3xi1>) -> tensor<?x3xi1>
  %d0 = tosa.dim %y {axis = 0 : i32} : (tensor<?x3xi1>) -> !tosa.shape<1>
  %d1 = tosa.dim %y {axis = 1 : i32} : (tensor<?x3xi1>) -> !tosa.shape<1>
  %m = tosa.mul_shape %d0, %d1 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %s = tosa.concat_shape %m : (!tosa.shape<1>) -> !tosa.shape<1>
  %flat = tosa.reshape %y, %s : (tensor<?x3xi1>, !tosa.shape<1>) -> tensor<?xi1>
  %nine = tosa.const_shape {values = dense<[9]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %flat, %nine : (tensor<?xi1>, !tosa.shape<1>) -> tensor<9xi1>
  return %r, %padded : tensor<9xi1>, tensor<5x6xi1>
}
