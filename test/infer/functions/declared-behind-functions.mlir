// RUN: broadloom-opt %s --loom-refine-shapes | FileCheck %s
// RUN: not broadloom run %s --input=6x1x2xf64=1 2>&1 | FileCheck %s --check-prefix=FAILS

// That the width is a power of two is left to the shape function, which says
// nothing of what the program declares: that is a guard of its own (rt-4).
// CHECK: loom.require_function "tosa.fft2d"
// CHECK: loom.constrain "tosa.fft2d", %{{.+}}, "axis 0 of result 0 is declared 3 but is {0}"
// CHECK: tosa.fft2d {{.+}} -> (tensor<3x?x?xf64>, tensor<3x?x?xf64>)
// FAILS: 'tosa.fft2d': axis 0 of result 0 is declared 3 but is 6
func.func @main(%x: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %height = tosa.dim %x {axis = 1 : i32} : (tensor<?x?x?xf64>) -> !tosa.shape<1>
  %two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %twice = tosa.mul_shape %height, %two : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %start = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
  %ones = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.concat_shape %ones, %twice : (!tosa.shape<2>, !tosa.shape<1>) -> !tosa.shape<3>
  %0 = tosa.slice %x, %start, %size : (tensor<?x?x?xf64>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<?x?x?xf64>
  %1, %2 = tosa.fft2d %x, %x {inverse = false} : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> (tensor<3x?x?xf64>, tensor<?x?x?xf64>)
  return %0 : tensor<?x?x?xf64>
}
