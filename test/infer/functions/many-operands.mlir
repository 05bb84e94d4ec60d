// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --loom-refine-shapes | FileCheck %s

// Up to eight operands are named in each message. Beyond that none is, so that
// an operation with many constraints is not told once for each of them.

// CHECK-LABEL: func.func @eight
// CHECK: loom.constrain "tosa.concat", {{.*}} of " (operand shapes {0}x{1},
// CHECK-LABEL: func.func @nine
// CHECK: loom.constrain "tosa.concat", {{.*}}, "input 8 has {{.*}} : index, index){{$}}
// CHECK-NOT: operand shapes
func.func @eight(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.concat %a, %b, %a, %b, %a, %b, %a, %b {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @nine(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.concat %a, %a, %a, %a, %a, %a, %a, %a, %b {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
