// RUN: broadloom run %s --function=swapped --input="2xf32=1 2" --input="1x2xf32=3 4" --input=i64=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: broadloom run %s --function=swapped --input="2xf32=1 2" --input="1x2xf32=3 4" --input=i64=0 | FileCheck %s --check-prefix=KEPT
// RUN: broadloom run %s --function=taken --input="2xf32=1 2" --input="f32=5" --input=i32=1 | FileCheck %s --check-prefix=TAKEN
// RUN: broadloom run %s --function=branches --input="2xf32=1 2" --input="f32=5" --input=i1=true | FileCheck %s --check-prefix=THEN
// RUN: broadloom run %s --function=branches --input="2xf32=1 2" --input="f32=5" --input=i1=false | FileCheck %s --check-prefix=ELSE

// A loop hands on tensors of unknown rank in another order, and some twice.
// SWAPPED: {{\[\[}}3. 4.]]
// SWAPPED-NEXT: [1. 2.]
// SWAPPED-NEXT: {{\[\[}}3. 4.]]
// KEPT: [1. 2.]
// KEPT-NEXT: {{\[\[}}3. 4.]]
// KEPT-NEXT: [1. 2.]
func.func @swapped(%a: tensor<*xf32>, %b: tensor<*xf32>, %n: index) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b, %z = %a) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
    scf.yield %y, %x, %y : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// The body gives an argument of the function, which stays what it is.
// TAKEN: 5.0
// TAKEN-NEXT: 5.0
func.func private @loop(%a: tensor<*xf32>, %b: tensor<*xf32>, %n: tensor<i32>) -> tensor<*xf32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %x = %a) : (tensor<i32>, tensor<*xf32>) -> (tensor<i32>, tensor<*xf32>) {
    %more = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<*xf32>):
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next, %b : tensor<i32>, tensor<*xf32>
  }
  return %r#1 : tensor<*xf32>
}
func.func @taken(%a: tensor<*xf32>, %b: tensor<*xf32>, %n: tensor<i32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %r = call @loop(%a, %b, %n) : (tensor<*xf32>, tensor<*xf32>, tensor<i32>) -> tensor<*xf32>
  return %r, %b : tensor<*xf32>, tensor<*xf32>
}

// THEN: [ 1. 10.]
// THEN-NEXT: [1. 2.]
// ELSE: 5.0
// ELSE-NEXT: [1. 2.]
func.func @branches(%a: tensor<*xf32>, %b: tensor<*xf32>, %p: i1) -> (tensor<*xf32>, tensor<*xf32>) {
  %one = arith.constant 1 : index
  %ten = arith.constant 10.0 : f32
  %r = scf.if %p -> tensor<*xf32> {
    %x = tensor.cast %a : tensor<*xf32> to tensor<?xf32>
    %w = tensor.insert %ten into %x[%one] : tensor<?xf32>
    %y = tensor.cast %w : tensor<?xf32> to tensor<*xf32>
    scf.yield %y : tensor<*xf32>
  } else {
    scf.yield %b : tensor<*xf32>
  }
  return %r, %a : tensor<*xf32>, tensor<*xf32>
}
