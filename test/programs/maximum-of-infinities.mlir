// RUN: broadloom run %s "--input=1x1x4x1xf32=-inf -inf nan 2" | FileCheck %s

// The maximum of negative infinities is one, also beside padding; a window of
// NaN alone gives NaN where NaN is ignored (el-5).
// CHECK:      -inf
// CHECK-NEXT: -inf
// CHECK-NEXT: nan
// CHECK-NEXT: nan
// CHECK-NEXT: -inf
// CHECK-NEXT: -inf
// CHECK-NEXT: -inf
// CHECK-NEXT: 2.
func.func @main(%x: tensor<1x?x?x1xf32>) -> (tensor<1x?x?x1xf32>, tensor<1x?x?x1xf32>) {
  %a = tosa.max_pool2d %x {kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  %b = tosa.max_pool2d %x {kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 0>, stride = array<i64: 1, 1>, nan_mode = IGNORE} : (tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  return %a, %b : tensor<1x?x?x1xf32>, tensor<1x?x?x1xf32>
}
