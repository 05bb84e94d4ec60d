// An operation with a reference implementation becomes its body: a map where that
// computes on scalars, inlined operations where it computes on tensors.
// RUN: broadloom-opt --mlir-very-unsafe-disable-verifier-on-parsing %examples/user-operations/program.mlir --loom-expand-user-operations=libraries=%examples/user-operations/mine.mlir | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: "mine.{{[a-z_]+}}"(
// CHECK: tosa.reshape
// CHECK: tosa.mul
// CHECK: tosa.exp
// CHECK: loom.map
// CHECK-NOT: "mine.{{[a-z_]+}}"(
