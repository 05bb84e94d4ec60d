// A constant among the operands is called so, since legalization replaces the
// operation that the program has.
// RUN: not broadloom run %s --input=2x8x1xf32=1 2>&1 | FileCheck %s
// RUN: not broadloom shapes %s --input=2x8x1 2>&1 | FileCheck %s
// CHECK: constant-operand.mlir:[[#@LINE+3]]:8: 'tosa.gather': values has 2 batches but indices has 1 (operand shapes 2x8x1 and 1x2; operand 0 is argument 'a', operand 1 is a constant)
func.func @main(%a: tensor<?x8x?xf32>) -> tensor<?x?x?xf32> {
  %i = "tosa.const"() <{values = dense<[[3, 7]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %r = tosa.gather %a, %i : (tensor<?x8x?xf32>, tensor<1x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
