// RUN: broadloom run %s --function=open --input=2x1xf32=1 --input=2x3xf32=2 --input=i1=true | FileCheck %s --check-prefix=NARROW
// RUN: broadloom run %s --function=open --input=2x1xf32=1 --input=2x3xf32=2 --input=i1=false | FileCheck %s --check-prefix=WIDE
// RUN: broadloom run %s --function=unknown --input=2xf32=1 --input=1x3xf32=2 --input=i1=true --input="2xf32=5 6" | FileCheck %s --check-prefix=VECTOR
// RUN: broadloom run %s --function=unknown --input=2xf32=1 --input=1x3xf32=2 --input=i1=false --input="2xf32=5 6" | FileCheck %s --check-prefix=MATRIX
// RUN: broadloom run %s --function=erased --input=2x3xf32=1 --input=2x3xf32=2 --input=i1=false --input="2xf32=5 6" | FileCheck %s --check-prefix=ERASED

// One tensor of two is chosen as a whole; the other one's extents are its own.
// NARROW: {{\[\[}}2.]
// NARROW-NEXT: [2.]]
// WIDE: {{\[\[}}4. 4. 4.]
// WIDE-NEXT: [4. 4. 4.]]
func.func @open(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>, %p: i1) -> tensor<2x?xf32> {
  %v = arith.select %p, %a, %b : tensor<2x?xf32>
  %w = arith.addf %v, %v : tensor<2x?xf32>
  return %w : tensor<2x?xf32>
}

// VECTOR: [1. 1.]
// VECTOR-NEXT: [6. 5.]
// MATRIX: {{\[\[}}2. 2. 2.]]
func.func @unknown(%a: tensor<*xf32>, %b: tensor<*xf32>, %p: i1, %c: tensor<?xf32>) -> (tensor<*xf32>, tensor<?xf32>) {
  %r = tosa.reverse %c {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %v = arith.select %p, %a, %b : tensor<*xf32>
  return %v, %r : tensor<*xf32>, tensor<?xf32>
}

// Both and the choice keep one type.
// ERASED: {{\[\[}}2. 2. 2.]
// ERASED-NEXT: [2. 2. 2.]]
func.func @erased(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>, %p: i1, %c: tensor<?xf32>) -> (tensor<*xf32>, tensor<?xf32>) {
  %r = tosa.reverse %c {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %u = scf.if %p -> tensor<*xf32> {
    %x = tensor.cast %a : tensor<2x?xf32> to tensor<*xf32>
    scf.yield %x : tensor<*xf32>
  } else {
    %x = tensor.cast %a : tensor<2x?xf32> to tensor<*xf32>
    %y = tensor.cast %b : tensor<2x?xf32> to tensor<*xf32>
    %v = arith.select %p, %x, %y : tensor<*xf32>
    scf.yield %v : tensor<*xf32>
  }
  return %u, %r : tensor<*xf32>, tensor<?xf32>
}
