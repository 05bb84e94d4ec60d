// RUN: broadloom-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing --broadloom-prepare --convert-tosa-to-loom --loom-insert-guards | FileCheck %s
// RUN: broadloom-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing --loom-cast-calls | FileCheck %s --check-prefix=ALONE

// A function whose signature is widened keeps its callers valid: casts stand
// between, which a call's result needs no guard for where it is known (rt-4).

// ALONE-LABEL: func.func @abi1_widened_callee(
// ALONE-NEXT:    %[[W:.*]] = tensor.cast %{{.*}} : tensor<4x3xf32> to tensor<?x3xf32>
// ALONE-NEXT:    %[[R:.*]] = call @keeps(%[[W]]) : (tensor<?x3xf32>) -> tensor<?x3xf32>
// ALONE-NEXT:    %[[N:.*]] = tensor.cast %[[R]] {{.*}}: tensor<?x3xf32> to tensor<4x3xf32>
// ALONE-NEXT:    return %[[N]]
// CHECK-LABEL: func.func @abi1_widened_callee(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf32>)
// CHECK-NOT:     loom.require
// CHECK:         %[[W:.*]] = tensor.cast %[[X]] {{.*}}: tensor<4x3xf32> to tensor<?x3xf32>
// CHECK:         %[[R:.*]] = call @keeps(%[[W]]) : (tensor<?x3xf32>) -> tensor<?x3xf32>
// CHECK:         %[[N:.*]] = tensor.cast %[[R]] {{.*}}: tensor<?x3xf32> to tensor<4x3xf32>
// CHECK:         return %[[N]]
func.func @abi1_widened_callee(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = func.call @keeps(%x) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
// Where types agree, nothing is cast.
// ALONE-LABEL: func.func private @keeps(
// ALONE-NEXT:    return
func.func private @keeps(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// -----

// Where it is not known, what the call says of the result is checked.

// CHECK-LABEL: func.func @rt4_unknown_result(
// CHECK:         %[[R:.*]] = call @makes
// CHECK:         loom.require %{{.*}}, "func.call", "{{.*}}axis 0
// CHECK:         tensor.cast %[[R]] {{.*}}: tensor<?xf32> to tensor<4xf32>
func.func @rt4_unknown_result(%n: index) -> tensor<4xf32> {
  %r = func.call @makes(%n) : (index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @makes(%n: index) -> tensor<?xf32> {
  %r = tensor.empty(%n) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The same of what a function returns.

// CHECK-LABEL: func.func @abi1_widened_result(
// CHECK-SAME:    -> tensor<?xf32>
// CHECK:         %[[C:.*]] = tensor.cast %{{.*}} : tensor<4xf32> to tensor<?xf32>
// CHECK:         return %[[C]] : tensor<?xf32>
func.func @abi1_widened_result(%x: tensor<4xf32>) -> tensor<?xf32> {
  return %x : tensor<4xf32>
}
