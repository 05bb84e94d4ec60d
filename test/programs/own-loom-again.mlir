// What --emit=loom writes can be read again: the shapes of fused reductions and
// contractions are known from their operands, so that no guard is added for
// the results of a function.

// RUN: broadloom compile --emit=loom %s -o %t.loom.mlir
// RUN: broadloom compile --emit=loom %t.loom.mlir -o %t.again.mlir
// RUN: grep -c loom.require %t.loom.mlir | FileCheck --check-prefix=COUNT %s
// RUN: grep -c loom.require %t.again.mlir | FileCheck --check-prefix=COUNT %s
// RUN: broadloom shapes %s --function=softmax --input=AxB | FileCheck --check-prefix=SOFTMAX %s
// RUN: broadloom shapes %t.loom.mlir --function=softmax --input=AxB | FileCheck --check-prefix=SOFTMAX %s
// RUN: broadloom shapes %s --function=sums --input=AxB --input=1xB | FileCheck --check-prefix=SUMS %s
// RUN: broadloom shapes %t.loom.mlir --function=sums --input=AxB --input=1xB | FileCheck --check-prefix=SUMS %s
// RUN: broadloom shapes %s --function=products --input=AxHxWx3 --input=8x3x3x3 --input=8 --input=NxAxB --input=NxBxC | FileCheck --check-prefix=PRODUCTS %s
// RUN: broadloom shapes %t.loom.mlir --function=products --input=AxHxWx3 --input=8x3x3x3 --input=8 --input=NxAxB --input=NxBxC | FileCheck --check-prefix=PRODUCTS %s

// COUNT: {{^}}7{{$}}

// SOFTMAX: {{^}}AxB{{$}}
func.func @softmax(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %d = tosa.sub %a, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = tosa.exp %d : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.reciprocal %s : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.mul %e, %r, %z : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Two inputs broadcast before the sum, and one result has an element per row.
// SUMS: {{^}}Ax1{{$}}
// SUMS: {{^}}AxB{{$}}
func.func @sums(%a: tensor<?x?xf32>, %b: tensor<1x?xf32>) -> (tensor<?x1xf32>, tensor<?x?xf32>) {
  %c = tosa.add %a, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %s = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %d = tosa.sub %a, %s : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  return %s, %d : tensor<?x1xf32>, tensor<?x?xf32>
}

// PRODUCTS: {{^}}Ax(H/2)x(W/2)x8{{$}}
// PRODUCTS: {{^}}NxAxC{{$}}
func.func @products(%a: tensor<?x?x?x3xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>, %m: tensor<?x?x?xf32>, %n: tensor<?x?x?xf32>) -> (tensor<?x?x?x8xf32>, tensor<?x?x?xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 2, 2>} : (tensor<?x?x?x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %1 = tosa.matmul %m, %n, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %0, %1 : tensor<?x?x?x8xf32>, tensor<?x?x?xf32>
}
