// RUN: broadloom run %s --input="1x4xf32=1 -2 3 -4" | FileCheck %s
// RUN: broadloom run %s --input="1x4xf32=1 -2 3 -4" --strategy=rfc | FileCheck %s
// RUN: broadloom run %s --input=1x0xf32= --shapes | FileCheck %s --check-prefix=EMPTY

// Nobody reads the maximum; what is left is over the one element of its row.
// CHECK: {{^}}[{{\[}}1. 2. 3. 4.]]
// EMPTY: 1x0
func.func @main(%y: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %u = tosa.reverse %y {axis = 0 : i32} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  %w = tosa.abs %u : (tensor<1x?xf32>) -> tensor<1x?xf32>
  %q = tosa.reduce_max %w {axis = 0 : i32} : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %w : tensor<1x?xf32>
}
