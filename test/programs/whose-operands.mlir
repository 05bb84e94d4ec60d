// What the author of a shape function words is told with the shapes of the
// operands and where they come from: by an error, by a guard, and by `shapes`.

// RUN: not broadloom run %s --input=1x2x3xf32=1 --input=1x5x4xf32=1 2>&1 | FileCheck %s
// RUN: not broadloom shapes %s --input=1x2x3 --input=1x5x4 2>&1 | FileCheck %s
// CHECK: whose-operands.mlir:[[#]]:8: 'tosa.matmul': a has 3 columns but b has 5 rows (operand shapes 1x2x3 and 1x5x4; operand 0 is argument 'a', operand 1 is the result of 'tosa.reverse')

// RUN: sed s/?x4/5x4/g %s | not broadloom run - --input=1x2x3xf32=1 --input=1x5x4xf32=1 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: 'tosa.matmul': a has 3 columns but b has 5 rows (operand shapes 1x2x3 and 1x5x4; operand 0 is argument 'a', operand 1 is the result of 'tosa.reverse')

// RUN: sed 's/?x4/5x4/g; s/?x?/2x3/g' %s | not broadloom check - 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: 'tosa.matmul': a has 3 columns but b has 5 rows (operand shapes 1x2x3 and 1x5x4; operand 0 is argument 'a', operand 1 is the result of 'tosa.reverse')
// STATIC: refuted{{ +}}3 = 5, else "a has 3 columns but b has 5 rows"
func.func @main(%a: tensor<1x?x?xf32>, %b: tensor<1x?x4xf32>) -> tensor<1x?x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.reverse %b {axis = 2 : i32} : (tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  %0 = tosa.matmul %a, %r, %z, %z : (tensor<1x?x?xf32>, tensor<1x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4xf32>
  return %0 : tensor<1x?x4xf32>
}
