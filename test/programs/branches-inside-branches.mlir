// RUN: broadloom run %s --input="2xf32=1 2" --input=i1=true --input=i1=true --input=i32=2 | FileCheck %s --check-prefix=BOTH
// RUN: broadloom run %s --input="2xf32=1 2" --input=i1=true --input=i1=false --input=i32=2 | FileCheck %s --check-prefix=OUTER
// RUN: broadloom run %s --input="2xf32=1 2" --input=i1=false --input=i1=true --input=i32=2 | FileCheck %s --check-prefix=NONE

// BOTH: [4. 8.]
// OUTER: [1. 2.]
// NONE: [2. 4.]
func.func @main(%a: tensor<?xf32>, %p: tensor<i1>, %q: tensor<i1>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r = tosa.cond_if %p : tensor<i1> -> tensor<?xf32> {
    %s = tosa.cond_if %q : tensor<i1> -> tensor<?xf32> {
      %t:2 = tosa.while_loop (%i = %zero, %x = %a) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
        %more = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tosa.yield %more : tensor<i1>
      } do {
      ^bb0(%i: tensor<i32>, %x: tensor<?xf32>):
        %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %y = tosa.cond_if %q : tensor<i1> -> tensor<?xf32> {
          %d = tosa.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          tosa.yield %d : tensor<?xf32>
        } else {
          tosa.yield %x : tensor<?xf32>
        }
        tosa.yield %next, %y : tensor<i32>, tensor<?xf32>
      }
      tosa.yield %t#1 : tensor<?xf32>
    } else {
      tosa.yield %a : tensor<?xf32>
    }
    tosa.yield %s : tensor<?xf32>
  } else {
    %d = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    tosa.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
