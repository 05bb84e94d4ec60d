// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --loom-refine-shapes | FileCheck %s

// rt-3: what operations that are not element-wise need of extents that the
// types leave open.

// CHECK-LABEL: func.func @concat
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<3x?xf32>)
// CHECK: %[[EA:.*]] = tensor.dim %[[A]]
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[EA]], %{{.*}}
// CHECK: loom.constrain "tosa.concat", %[[EQ]], "input 1 has 3 along axis 0 but input 0 has {0}"(%[[EA]] : index) of " (operand shapes {0}x{1} and 3x{2}; operand 0 is argument 0, operand 1 is argument 1)"[%[[EA]], %{{.*}}, %{{.*}}]
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[A]] : tensor<?x?xf32> to tensor<3x?xf32>
// CHECK-NEXT: tosa.concat %[[C]], %[[B]]
func.func @concat(%a: tensor<?x?xf32>, %b: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.concat %a, %b {axis = 1 : i32} : (tensor<?x?xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @concatWithItself
// CHECK-NEXT: tosa.concat
func.func @concatWithItself(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.concat %a, %a {axis = 1 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @matmul
// CHECK: loom.constrain "tosa.matmul", %{{.*}}, "a has {0} matrices but b has {1}"
// CHECK: loom.constrain "tosa.matmul", %{{.*}}, "a has {0} columns but b has {1} rows"
func.func @matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// Of known extents the first reshape's product is a multiple whatever `?` is.
// CHECK-LABEL: func.func @reshape
// CHECK-NOT: loom.constrain
// CHECK: tosa.reshape
// CHECK: loom.constrain "tosa.reshape", %{{.*}}, "the input {0}x{1} has {2} elements, which the new shape -1x3 cannot hold: they are no multiple of 3"
// CHECK: tosa.reshape
// CHECK: loom.constrain "tosa.reshape", %{{.*}}, "the input {0}x{1} has {2} elements but the new shape 2x3 has 6"
// CHECK: tosa.reshape
func.func @reshape(%a: tensor<?x6xf32>, %b: tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>) {
  %s = tosa.const_shape {values = dense<[-1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %a, %s : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<?x3xf32>
  %1 = tosa.reshape %b, %s : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x3xf32>
  %2 = tosa.reshape %b, %t : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK: loom.constrain "tosa.slice", %{{.*}}, "the slice from 1 of size 2 along axis 0 leaves the input, which has {0}"
// CHECK-NOT: loom.constrain
func.func @slice(%a: tensor<?x6xf32>) -> tensor<2x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %a, %s, %z : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @window
// CHECK: loom.constrain "tosa.max_pool2d", %{{.*}}, "the kernel covers 3 along axis 2, but the padded input has only {0}"
// CHECK: loom.constrain "tosa.conv2d", %{{.*}}, "filter has 3 input channels but the input has {0}"
// CHECK: loom.constrain "tosa.conv2d", %{{.*}}, "the kernel covers 5 along axis 1, but the padded input has only {0}"
func.func @window(%a: tensor<1x8x?x3xf32>, %b: tensor<1x?x8x?xf32>, %w: tensor<8x3x3x3xf32>, %bias: tensor<8xf32>) -> (tensor<1x4x?x3xf32>, tensor<1x?x4x8xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %a {kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x8x?x3xf32>) -> tensor<1x4x?x3xf32>
  %1 = tosa.conv2d %b, %w, %bias, %z, %z {acc_type = f32, dilation = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x8x?xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4x8xf32>
  return %0, %1 : tensor<1x4x?x3xf32>, tensor<1x?x4x8xf32>
}

// rt-4: the declared result is checked against the computed one.
// CHECK-LABEL: func.func @result
// CHECK-SAME: (%[[A:.*]]: tensor<?x3xf32>)
// CHECK: %[[E:.*]] = tensor.dim %[[A]]
// CHECK: loom.constrain "tosa.reverse", %{{.*}}, "axis 0 of result 0 is declared 5 but is {0}"(%[[E]] : index)
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[A]] : tensor<?x3xf32> to tensor<5x3xf32>
// CHECK-NEXT: %[[R:.*]] = tosa.reverse %[[C]] {axis = 0 : i32} : (tensor<5x3xf32>) -> tensor<5x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @result(%a: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<?x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// What the operands give and the declared type leaves open is taken.
// CHECK-LABEL: func.func @openResult
// CHECK: %[[R:.*]] = tosa.reverse %{{.*}} {axis = 0 : i32} : (tensor<5x?xf32>) -> tensor<5x?xf32>
// CHECK-NEXT: tensor.cast %[[R]] : tensor<5x?xf32> to tensor<?x?xf32>
func.func @openResult(%a: tensor<5x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<5x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @mapOfOpenResult
// CHECK: %[[R:.*]] = tosa.reverse
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[R]]
// CHECK: loom.map({{.*}} = %[[C]] : tensor<?x?xf32>) -> tensor<5x?xf32> {
func.func @mapOfOpenResult(%a: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<5x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?xf32>) -> tensor<5x?xf32>
  return %1 : tensor<5x?xf32>
}
