// Types of results without a rank, which most operations cannot be compiled with,
// get the rank that shape functions infer from the arguments' (sf-8).
// RUN: broadloom compile %s --emit=loom | FileCheck %s
// RUN: broadloom compile %s --strategy=rfc --emit=linalg | mlir-opt -o /dev/null
// RUN: broadloom run %s --function=moves --input="2x3xf32=1 2 3 4 5 6" --input="3xf32=1 1 1" | FileCheck %s --check-prefix=MOVES
// RUN: not broadloom run %s --function=moves --input="2x3xf32=1 2 3 4 5 6" --input="2xf32=1 1" 2>&1 | FileCheck %s --check-prefix=GUARD
// RUN: broadloom shapes %s --function=convolution --input=NxHxWx3 --input=8x3x3x3 | FileCheck %s --check-prefix=CONVOLUTION
// RUN: broadloom run %s --function=choice --input="2x2xf32=1 2 3 4" --input=i1=true | FileCheck %s --check-prefix=CHOICE
// RUN: broadloom run %s --function=caller --input="2x2xf32=1 2 3 4" | FileCheck %s --check-prefix=CALLER
// RUN: broadloom run %s --function=neverTaken --input="3xf32=1 2 3" | FileCheck %s --check-prefix=NEVER
// RUN: broadloom run %s --function=padded --input="1x2xf32=1 2" | FileCheck %s --check-prefix=PADDED
// RUN: broadloom run %s --function=promised --input="2x2xf32=1 2 3 4" | FileCheck %s --check-prefix=PROMISED
// RUN: not broadloom run %s --function=promised --input="3xf32=1 2 3" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: broadloom check %s --function=moves | FileCheck %s --check-prefix=CHECK-GUARDS

// The declared type of the result stays.
// CHECK-LABEL: func.func @moves
// CHECK-SAME:    -> tensor<*xf32>
// CHECK:         loom.require {{.*}} "tosa.add"
// CHECK:         loom.fused_reduction({{.*}}) over [0]
// CHECK:         tensor.cast {{.*}} to tensor<*xf32>
// MOVES:      {{\[\[}}11.]
// MOVES-NEXT: {{^ }}[ 9.]
// MOVES-NEXT: {{^ \[ 7.\]\]}}
// GUARD:      operands are not broadcast-compatible along axis 1: extents 3 and 2
// CHECK-GUARDS: run-time  axis 1: extents
func.func @moves(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<*xf32> {
  %sum = tosa.add %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<*xf32>
  %row = tosa.reduce_sum %sum {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  %column = tosa.transpose %row {perms = array<i32: 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  %turned = tosa.reverse %column {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  %size = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %again = tosa.reshape %turned, %size : (tensor<*xf32>, !tosa.shape<2>) -> tensor<*xf32>
  return %again : tensor<*xf32>
}

// CONVOLUTION: {{^}}NxHxWx8{{$}}
func.func @convolution(%image: tensor<?x?x?x3xf32>, %weight: tensor<8x3x3x3xf32>) -> tensor<*xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<0.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %sums = tosa.conv2d %image, %weight, %bias, %zero, %zero {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x?x?x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>
  %pool = tosa.max_pool2d %sums {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  return %pool : tensor<*xf32>
}

// What control flow gives keeps its type; who needs the rank reads a cast.
// CHOICE: {{\[\[}}3. 4.]
// CHOICE-NEXT: {{\[1. 2.\]\]}}
func.func @choice(%x: tensor<?x?xf32>, %c: tensor<i1>) -> tensor<*xf32> {
  %taken = tosa.cond_if %c : tensor<i1> -> tensor<*xf32> {
    %turned = tosa.reverse %x {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<*xf32>
    tosa.yield %turned : tensor<*xf32>
  } else {
    %same = tosa.identity %x : (tensor<?x?xf32>) -> tensor<*xf32>
    tosa.yield %same : tensor<*xf32>
  }
  %largest = tosa.reduce_max %taken {axis = 1 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  %capped = tosa.minimum %taken, %largest : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %capped : tensor<*xf32>
}

// A call gives what the function that it calls returns.
// CALLER: {{\[\[}}3. 7.{{\]\]}}
func.func private @callee(%x: tensor<?x?xf32>) -> tensor<*xf32> {
  %sum = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<*xf32>
  return %sum : tensor<*xf32>
}
func.func @caller(%x: tensor<?x?xf32>) -> tensor<*xf32> {
  %sum = call @callee(%x) : (tensor<?x?xf32>) -> tensor<*xf32>
  %row = tosa.transpose %sum {perms = array<i32: 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  return %row : tensor<*xf32>
}

// The promise of an argument tells its rank, which is checked.
// PROMISED: {{\[\[}}3. 4.]
// PROMISED-NEXT: {{\[1. 2.\]\]}}
// RANK: the rank of argument 'x' is 1, but loom.extents has 2 axes
func.func @promised(%x: tensor<*xf32> {loom.extents = #loom.extents<[n, m]>}) -> tensor<*xf32> {
  %turned = tosa.reverse %x {axis = 0 : i32} : (tensor<*xf32>) -> tensor<*xf32>
  return %turned : tensor<*xf32>
}

// What never runs, because its shapes contradict each other, has a rank as well.
// NEVER: [1. 2. 3.]
func.func @neverTaken(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %isTwo = arith.cmpi eq, %n, %two : index
  %taken = scf.if %isTwo -> tensor<?xf32> {
    %size = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %column = tosa.reshape %x, %size : (tensor<?xf32>, !tosa.shape<2>) -> tensor<*xf32>
    %sum = tosa.reduce_sum %column {axis = 1 : i32} : (tensor<*xf32>) -> tensor<*xf32>
    %whole = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %row = tosa.reshape %sum, %whole : (tensor<*xf32>, !tosa.shape<1>) -> tensor<?xf32>
    scf.yield %row : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %taken : tensor<?xf32>
}

// An operand that must have one element by its type gets that type.
// PADDED: {{\[\[}}1. 2.]
// PADDED-NEXT: {{\[7. 7.\]\]}}
func.func @padded(%x: tensor<?x?xf32>) -> tensor<*xf32> {
  %seven = "tosa.const"() {values = dense<7.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %same = tosa.identity %seven : (tensor<1xf32>) -> tensor<*xf32>
  %below = tosa.const_shape {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %padded = tosa.pad %x, %below, %same : (tensor<?x?xf32>, !tosa.shape<4>, tensor<*xf32>) -> tensor<*xf32>
  return %padded : tensor<*xf32>
}
