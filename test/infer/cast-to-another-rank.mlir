// Behind a cast to another rank than the value has nothing is reached, but it is
// looked at: as many axes are read there as types have.
//
// RUN: not broadloom check %s 2>&1 | FileCheck %s
// RUN: not broadloom compile %s 2>&1 | FileCheck %s
// CHECK: error: 'tensor.cast': result has rank 2 but the operands give rank 3 (operand shape 1x1x1)

func.func @main(%n: index) -> tensor<*xi1> {
  %c = "tosa.const"() {values = dense<true> : tensor<1x1x1xi1>} : () -> tensor<1x1x1xi1>
  %u = tensor.cast %c : tensor<1x1x1xi1> to tensor<*xi1>
  %v = tensor.cast %u : tensor<*xi1> to tensor<?x?xi1>
  %z = arith.constant false
  %p = tensor.pad %v low[0, 2] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i1
  } : tensor<?x?xi1> to tensor<?x?xi1>
  %q = tensor.cast %p : tensor<?x?xi1> to tensor<*xi1>
  return %q : tensor<*xi1>
}
