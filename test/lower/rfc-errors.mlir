// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare --convert-tosa-to-linalg-rfc --split-input-file --verify-diagnostics

// The RFC excludes tensors of unknown rank.
func.func @unranked(%a: tensor<3xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'tosa.add' op operand 1 has no known rank, which the strategy rfc does not take; use the default strategy}}
  %0 = tosa.add %a, %b : (tensor<3xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
