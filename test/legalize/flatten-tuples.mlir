// Tuples of functions become their elements (abi-10).

// RUN: broadloom-opt %s --split-input-file --loom-flatten-tuples --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @swap(
// CHECK-SAME:  %[[X:.*]]: f32, %[[V:.*]]: tensor<?xf32>) -> (tensor<?xf32>, f32) {
// CHECK-NEXT:  return %[[V]], %[[X]] : tensor<?xf32>, f32
func.func private @swap(%t: tuple<f32, tensor<?xf32>>) -> tuple<tensor<?xf32>, f32> {
  %x, %v = builtin.unrealized_conversion_cast %t : tuple<f32, tensor<?xf32>> to f32, tensor<?xf32>
  %s = builtin.unrealized_conversion_cast %v, %x : tensor<?xf32>, f32 to tuple<tensor<?xf32>, f32>
  return %s : tuple<tensor<?xf32>, f32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[N:.*]]: index {loom.some}, %[[X:.*]]: f32, %[[V:.*]]: tensor<?xf32>, %[[Y:.*]]: f32) -> (index, tensor<?xf32>, f32, f32) {
// CHECK-NEXT:  %[[R:.*]]:2 = call @swap(%[[Y]], %[[V]]) : (f32, tensor<?xf32>) -> (tensor<?xf32>, f32)
// CHECK-NEXT:  %[[S:.*]] = arith.addf %[[R]]#1, %[[X]] : f32
// CHECK-NEXT:  return %[[N]], %[[R]]#0, %[[R]]#1, %[[S]] : index, tensor<?xf32>, f32, f32
func.func @main(%n: index {loom.some}, %pair: tuple<f32, tuple<tensor<?xf32>, f32>>) -> (index, tuple<tensor<?xf32>, f32>, f32) {
  %x, %rest = builtin.unrealized_conversion_cast %pair : tuple<f32, tuple<tensor<?xf32>, f32>> to f32, tuple<tensor<?xf32>, f32>
  %v, %y = builtin.unrealized_conversion_cast %rest : tuple<tensor<?xf32>, f32> to tensor<?xf32>, f32
  %t = builtin.unrealized_conversion_cast %y, %v : f32, tensor<?xf32> to tuple<f32, tensor<?xf32>>
  %r = call @swap(%t) : (tuple<f32, tensor<?xf32>>) -> tuple<tensor<?xf32>, f32>
  %w, %z = builtin.unrealized_conversion_cast %r : tuple<tensor<?xf32>, f32> to tensor<?xf32>, f32
  %s = arith.addf %z, %x : f32
  return %n, %r, %s : index, tuple<tensor<?xf32>, f32>, f32
}

// CHECK-LABEL: func.func private @nothing(index)
func.func private @nothing(index, tuple<>)

// -----

func.func @f(%c: i1, %t: tuple<f32>) {
  // expected-error @+1 {{'arith.select' op has a tuple; functions and calls alone have, and 'builtin.unrealized_conversion_cast' makes it of its elements and takes it apart}}
  %r = arith.select %c, %t, %t : tuple<f32>
  return
}

// -----

func.func @f(%t: tuple<f32, index>) {
  // expected-error @+1 {{converts 'tuple<f32, index>' to 'f32', 'i64', whose elements are of other types}}
  %r:2 = builtin.unrealized_conversion_cast %t : tuple<f32, index> to f32, i64
  return
}

// -----

// expected-error @+1 {{argument 0 is a tuple and has the attribute "loom.constant", which says nothing of its elements; give arguments instead}}
func.func @f(%t: tuple<f32> {loom.constant}) {
  return
}

// -----

// expected-error @+1 {{result 0 is a tuple and has the attribute "loom.some", which says nothing of its elements; give results instead}}
func.func private @f() -> (tuple<f32> {loom.some})

// -----

// expected-error @+1 {{a block has a tuple as an argument; functions and calls alone have tuples}}
func.func @f(%t: tuple<f32>) {
  // expected-error @+1 {{'cf.br' op has a tuple; functions and calls alone have}}
  cf.br ^next(%t : tuple<f32>)
^next(%u: tuple<f32>):
  return
}

// -----

func.func @f(%t: tuple<f32>) -> f32 {
  cf.br ^first
^second:
  // expected-error @+1 {{has a tuple that is made behind it in the text; write blocks in the order in which they run}}
  %x = builtin.unrealized_conversion_cast %u : tuple<f32> to f32
  return %x : f32
^first:
  %y = builtin.unrealized_conversion_cast %t : tuple<f32> to f32
  %u = builtin.unrealized_conversion_cast %y : f32 to tuple<f32>
  cf.br ^second
}

// -----

// Calls of calls: what an old call has is no operand of what is erased.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:  %[[X:.*]]: f32, %[[Y:.*]]: f32) -> (f32, f32) {
// CHECK-NEXT:  %[[R:.*]]:2 = call @pass(%[[X]], %[[Y]]) : (f32, f32) -> (f32, f32)
// CHECK-NEXT:  %[[S:.*]]:2 = call @pass(%[[R]]#0, %[[R]]#1) : (f32, f32) -> (f32, f32)
// CHECK-NEXT:  return %[[S]]#0, %[[S]]#1 : f32, f32
func.func @chain(%x: f32, %y: f32) -> tuple<f32, f32> {
  %t = builtin.unrealized_conversion_cast %x, %y : f32, f32 to tuple<f32, f32>
  %r = call @pass(%t) : (tuple<f32, f32>) -> tuple<f32, f32>
  %s = call @pass(%r) : (tuple<f32, f32>) -> tuple<f32, f32>
  return %s : tuple<f32, f32>
}
func.func private @pass(tuple<f32, f32>) -> tuple<f32, f32>

// -----

func.func private @g(tuple<f32>) -> f32
func.func @f(%t: tuple<f32>) -> f32 {
  // expected-error @+1 {{'func.call' op has a tuple and attributes of arguments or results, which say nothing of its elements}}
  %r = "func.call"(%t) {callee = @g, arg_attrs = [{loom.some}]} : (tuple<f32>) -> f32
  return %r : f32
}

// -----

// Tuples of tuples are counted, and not gone through.
!t0 = tuple<f32, f32, f32, f32, f32, f32, f32, f32>
!t1 = tuple<!t0, !t0, !t0, !t0, !t0, !t0, !t0, !t0>
!t2 = tuple<!t1, !t1, !t1, !t1, !t1, !t1, !t1, !t1>
!t3 = tuple<!t2, !t2, !t2, !t2, !t2, !t2, !t2, !t2>
!t4 = tuple<!t3, f32>
// expected-error @+1 {{a tuple has more than 4096 elements, with those of tuples in it; give a tensor of them}}
func.func private @f(!t4)

// -----

!e0 = tuple<>
!e1 = tuple<!e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0, !e0>
!e2 = tuple<!e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1, !e1>
!e3 = tuple<!e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2, !e2>
!e4 = tuple<!e3, !e3>
// expected-error @+1 {{a tuple has more than 4096 elements, with those of tuples in it}}
func.func private @f(!e4)
