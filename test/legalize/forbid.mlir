// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare=dynamic-to-static=forbid \
// RUN:   "--convert-tosa-to-loom=dynamic-to-static=forbid" --verify-diagnostics
// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-prepare=dynamic-to-static=forbid \
// RUN:   "--convert-tosa-to-linalg-rfc=dynamic-to-static=forbid" --verify-diagnostics

// verify-4 under the policy `forbid`.
func.func @f(%a: tensor<?xf32>, %b: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  // expected-error @+1 {{'tosa.add' op result axis 0 has the static extent 5 but the operands give ? (operand shapes ? and ?; result shape 5); make it ? in the result type, or allow it with dynamic-to-static=allow}}
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>
  %1 = tosa.add %a, %b : (tensor<?xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}
