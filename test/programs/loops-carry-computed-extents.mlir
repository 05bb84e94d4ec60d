// RUN: broadloom run %s --input=1x7x9x1xi8=2 --input=1x3x2x1xi8=1 --input=1xi32=0 --input=i1=1 | FileCheck %s --check-prefix=VALUES
// RUN: broadloom check %s | FileCheck %s
// RUN: not broadloom run %s --input=1x8x9x1xi8=2 --input=1x3x2x1xi8=1 --input=1xi32=0 --input=i1=1 2>&1 | FileCheck %s --check-prefix=WRONG

// A loop carries a tensor whose extents are computed, and a branch yields it.
// That they are not negative is for the operation that computes them to say:
// they are the extents of a tensor, and nothing is left to be decided when the
// loop has run.

// CHECK:     tosa.conv2d
// CHECK:     run-time {{.*}}"the kernel covers
// CHECK:     tosa.while_loop
// CHECK-NOT: would have extent
// CHECK-NOT: its shape function is evaluated
// CHECK:     none refuted
// VALUES:       {{\[\[\[\[}}12]
// VALUES-COUNT-13: [12]
// WRONG:     :[[#@LINE+5]]:8: 'tosa.conv2d': the stride 2 along axis 1 must divide 3
func.func @main(%x: tensor<?x?x?x?xi8>, %w: tensor<?x?x?x?xi8>, %b: tensor<?xi32>, %c: tensor<i1>) -> tensor<?x?x?x?xi32> {
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %first = "tosa.const"() {values = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "tosa.const"() {values = dense<1> : tensor<i32>} : () -> tensor<i32>
  %y = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = i32, dilation = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 1>} : (tensor<?x?x?x?xi8>, tensor<?x?x?x?xi8>, tensor<?xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x?x?x?xi32>
  %r:2 = tosa.while_loop (%i = %first, %carried = %y) : (tensor<i32>, tensor<?x?x?x?xi32>) -> (tensor<i32>, tensor<?x?x?x?xi32>) {
    %more = tosa.greater %one, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %carried: tensor<?x?x?x?xi32>):
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next, %y : tensor<i32>, tensor<?x?x?x?xi32>
  }
  %z = tosa.cond_if %c (%a = %r#1) : tensor<i1> (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32> {
  ^bb0(%a: tensor<?x?x?x?xi32>):
    tosa.yield %a : tensor<?x?x?x?xi32>
  } else {
  ^bb0(%a: tensor<?x?x?x?xi32>):
    tosa.yield %y : tensor<?x?x?x?xi32>
  }
  return %z : tensor<?x?x?x?xi32>
}
