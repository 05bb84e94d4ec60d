// RUN: broadloom run %s --input=2x3xf32=1 --input=3xi64=1,3,2 | FileCheck %s
// RUN: not broadloom run %s --input=2x3xf32=1 --input=0xi64=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not broadloom run %s --input=2x3xf32=1 --input=2xi64=-2,-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// rt-11: a list whose length is not known names extents that are not negative,
// and as many elements as there are.
// CHECK: 1. 1.
// NONE: 'tensor.reshape': the operand has 6 elements and cannot become a shape of 1 elements
// NEGATIVE: 'tensor.reshape': the shape has an extent of -3, expected at least 0
func.func @main(%a: tensor<?x?xf32>, %s: tensor<?xindex>) -> tensor<*xf32> {
  %r = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<?xindex>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
