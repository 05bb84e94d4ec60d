// RUN: broadloom run %s --input="2x2xf32=1 2 3 4" --input="1x2xf32=2 3" --input=i1=false --input=i32=0 | FileCheck %s
// RUN: not broadloom run %s --input="0x2xf32=" --input="1x2xf32=2 3" --input=i1=false --input=i32=0 2>&1 | FileCheck %s --check-prefix=EMPTY

// The loop receives a tensor of the extents that a guard behind the loop speaks
// of; what is inside the loop cannot be queried for them.
// CHECK: {{\[\[}}1. 1.]
// CHECK-NEXT: [0. 0.]]
// CHECK-NEXT: [1.]
// EMPTY: 'tosa.slice': the slice from 0 of size 1 along axis 0 leaves the input, which has 0
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %p: tensor<i1>, %i: tensor<i32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %v = tosa.minimum %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %v, %s : (tensor<?x?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %u = tosa.sub %b, %v : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %w:2 = tosa.while_loop (%n = %i, %m = %u) : (tensor<i32>, tensor<?x?xf32>) -> (tensor<i32>, tensor<?x?xf32>) {
    tosa.yield %p : tensor<i1>
  } do {
  ^bb0(%n: tensor<i32>, %m: tensor<?x?xf32>):
    tosa.yield %i, %a : tensor<i32>, tensor<?x?xf32>
  }
  %s0 = tosa.const_shape {values = dense<[0]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s1 = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %q = tosa.slice %r, %s0, %s1 : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
  return %w#1, %q : tensor<?x?xf32>, tensor<?xf32>
}
