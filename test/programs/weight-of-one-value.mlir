// A weight of equal elements that no memory could hold compiles; a call says that
// there is no memory for it.
// RUN: broadloom compile %s --emit=obj -o %t.o
// RUN: broadloom check %s | FileCheck %s --check-prefix=CHECKED
// CHECKED: none refuted
// RUN: not broadloom run %s --input=1x2x1000000xf32=1 2>&1 | FileCheck %s
// CHECK: weight-of-one-value.mlir:[[#@LINE+3]]:8: there is no memory for a tensor of shape 1x1000000x1000000000, 4000000000000000 bytes
func.func @main(%a: tensor<1x?x1000000xf32>) -> tensor<1x?x1000000000xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %b = "tosa.const"() {values = dense<0.5> : tensor<1x1000000x1000000000xf32>} : () -> tensor<1x1000000x1000000000xf32>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<1x?x1000000xf32>, tensor<1x1000000x1000000000xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x1000000000xf32>
  return %r : tensor<1x?x1000000000xf32>
}
