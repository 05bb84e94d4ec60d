// RUN: broadloom run %s --input=2x2xf16=1 --input=3xi8=1 | FileCheck %s
// RUN: broadloom shapes %s --input=2x2 --input=3 | FileCheck %s --check-prefix=SHAPES
// RUN: broadloom compile %s --emit=llvm -o - | FileCheck %s --check-prefix=LLVM

// The shape of the result is that of an argument, and outlives the frame of the
// function that tells it.

// CHECK: {{^}}[{{\[}}1. 1.]
// CHECK-NEXT: [1. 1.]]
// SHAPES: 2x2
// LLVM: llvm.func @broadloom_shapes_main
// LLVM: broadloomStoreShape

func.func @main(%a: tensor<*xf16>, %b: tensor<?xi8>) -> tensor<*xf16> {
  return %a : tensor<*xf16>
}
