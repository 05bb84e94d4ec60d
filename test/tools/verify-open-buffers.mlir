// The verifier of linalg.transpose compares extents of buffers as numbers; an
// open one fits any other.

// RUN: broadloom run %s --input=2x1x3xf64=5,1,4,2,3,0 | FileCheck %s

// CHECK:      {{\[\[\[}}2. 1. 0.]
// CHECK-NEXT:   [5. 3. 4.]]]

func.func private @sorted(%x: tensor<2x1x3xf64>) -> (tensor<2x1x3xf64>, tensor<2x1x3xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<2x1x3xf64>
  %e = tensor.empty(%n) : tensor<?x1x3xf64>
  %values = tensor.cast %e : tensor<?x1x3xf64> to tensor<2x1x3xf64>
  %i = tensor.empty() : tensor<2x1x3xi64>
  %r:2 = loom.sort %x into %values, %i {axis = 0 : i64}
      : (tensor<2x1x3xf64>, tensor<2x1x3xf64>, tensor<2x1x3xi64>) -> (tensor<2x1x3xf64>, tensor<2x1x3xi64>)
  return %r#0, %r#1 : tensor<2x1x3xf64>, tensor<2x1x3xi64>
}

func.func @main(%x: tensor<2x1x3xf64>) -> tensor<1x2x3xf64> {
  %r:2 = func.call @sorted(%x) : (tensor<2x1x3xf64>) -> (tensor<2x1x3xf64>, tensor<2x1x3xi64>)
  %t = tosa.transpose %r#0 {perms = array<i32: 1, 0, 2>} : (tensor<2x1x3xf64>) -> tensor<1x2x3xf64>
  return %t : tensor<1x2x3xf64>
}
