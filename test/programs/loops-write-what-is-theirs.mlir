// RUN: broadloom run %s --function=condition --input="2xf32=1 2" --input="2xf32=3 4" --input=i64=2 | FileCheck %s --check-prefix=CONDITION
// RUN: broadloom run %s --function=swapped --input="2xf32=1 2" --input="2xf32=3 4" --input=i64=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: broadloom run %s --function=results --input="2xf32=1 2" --input=i64=2 | FileCheck %s --check-prefix=RESULTS
// RUN: broadloom run %s --function=constants --input=f32=7 --input=i64=2 | FileCheck %s --check-prefix=CONSTANTS

// What the body yields is the next iteration's argument of the condition, which writes
// to it: the caller's argument stays what it is.
// CONDITION: [9. 4.]
// CONDITION-NEXT: [1. 2.]
// CONDITION-NEXT: [3. 4.]
func.func @condition(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9.0 : f32
  %r:2 = scf.while (%i = %zero, %x = %a) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %w = tensor.insert %nine into %x[%zero] : tensor<?xf32>
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %w : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %x: tensor<?xf32>):
    %next = arith.addi %i, %one : index
    scf.yield %next, %b : index, tensor<?xf32>
  }
  return %r#1, %a, %b : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// SWAPPED: [8. 4.]
// SWAPPED-NEXT: [8. 2.]
// SWAPPED-NEXT: [1. 2.]
func.func @swapped(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8.0 : f32
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %w = tensor.insert %eight into %x[%zero] : tensor<?xf32>
    scf.yield %y, %w : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1, %a : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// The results of a loop whose regions have different arguments are written to,
// and what it has handed on is read afterwards.
// RESULTS: [6. 2.]
// RESULTS-NEXT: [2. 4.]
// RESULTS-NEXT: [1. 2.]
func.func @results(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %six = arith.constant 6.0 : f32
  %b = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r:3 = scf.while (%i = %zero) : (index) -> (index, tensor<?xf32>, tensor<?xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %b, %a : index, tensor<?xf32>, tensor<?xf32>
  } do {
  ^bb0(%i: index, %x: tensor<?xf32>, %y: tensor<?xf32>):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  %v = tensor.insert %six into %r#1[%zero] : tensor<?xf32>
  %w = tensor.insert %six into %r#2[%zero] : tensor<?xf32>
  %sum = tosa.sub %v, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %w, %b, %a : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// A constant is the start of a loop that writes.
// CONSTANTS: [7. 7. 3.]
// CONSTANTS-NEXT: [1. 2. 3.]
func.func @constants(%v: f32, %n: index) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %c) -> tensor<3xf32> {
    %w = tensor.insert %v into %x[%i] : tensor<3xf32>
    scf.yield %w : tensor<3xf32>
  }
  return %r, %c : tensor<3xf32>, tensor<3xf32>
}
