// RUN: broadloom run %s --input="2xf16=1 2" --input="3xi8=1 2 3" --input=4xf32=1 | FileCheck %s
// RUN: broadloom shapes %s --input=5x?xf16 --input=3 --input=4 | FileCheck %s --check-prefix=SHAPES

// The shape query hands the shape of an argument on beside an extent.
// CHECK: [1. 2.]
// CHECK-NEXT: [1 2 3]
// CHECK-NEXT: [1. 2.]
// SHAPES: 5xs0
// SHAPES-NEXT: 3
// SHAPES-NEXT: 5xs0
func.func @main(%a: tensor<*xf16>, %b: tensor<?xi8>, %c: tensor<?xf32>) -> (tensor<*xf16>, tensor<?xi8>, tensor<*xf16>) {
  return %a, %b, %a : tensor<*xf16>, tensor<?xi8>, tensor<*xf16>
}
