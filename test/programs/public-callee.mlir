// RUN: broadloom run %s --input=2x3xf32=1.5 | FileCheck %s
// RUN: broadloom run %s --input=2x3xf32=1.5 --function=main | FileCheck %s
// RUN: broadloom run %s --input=2x3xf32=1.5 --function=f | FileCheck %s --check-prefix=F
// RUN: broadloom shapes %s --input=2x3 | FileCheck %s --check-prefix=SHAPES
// RUN: broadloom bench %s --input=2x3xf32=1.5 | FileCheck %s --check-prefix=BENCH

// A public function that another one calls is not the one that is run, and its
// result is not the result of the call.

// CHECK: {{^}}[{{\[}}2. 2. 2.]
// CHECK-NEXT: [2. 2. 2.]
// CHECK-NEXT: [2. 2. 2.]
// CHECK-NEXT: [2. 2. 2.]]

// F: {{^}}[{{\[}}2. 2. 2.]
// F-NEXT: [2. 2. 2.]]

// SHAPES: 4x3
// BENCH: main

func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.ceil %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = func.call @f(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.concat %0, %0 {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
