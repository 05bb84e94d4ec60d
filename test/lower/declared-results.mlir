// RUN: not broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-check 2>&1 | FileCheck %s
// RUN: not broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-check=strategy=rfc 2>&1 | FileCheck %s

// What upstream's verifiers let pass and its patterns make invalid IR of is
// refused by the shape function.
// CHECK: declared-results.mlir:[[# @LINE + 3]]:8: error: 'tosa.reverse': axis 0 of result 0 is declared 3 but is 2
// CHECK: tosa.mlir:{{[0-9]+}}:1: note: by its shape function
func.func @otherResult(%a: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %0 = tosa.reverse %a {axis = 0 : i32} : (tensor<2x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
