// RUN: broadloom-opt %s --loom-refine-shapes -split-input-file | FileCheck %s

// Operations that no library maps, by what their traits say. sf-9

// What is known of one operand is known of the others and of the result; that
// they are equal is a constraint and no assumption.
// CHECK-LABEL: func.func @chain
// CHECK: loom.constrain "arith.addf", %{{.+}}, "operand 1 has shape 4x5 but must have that of operand 0, {0}x5"
// CHECK: arith.addf
// CHECK: tosa.concat {{.+}} -> tensor<8x5xf32>
func.func @chain(%a: tensor<?x5xf32>, %b: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %c = tensor.cast %b : tensor<4x5xf32> to tensor<?x5xf32>
  %0 = arith.addf %a, %c : tensor<?x5xf32>
  %1 = math.exp %0 : tensor<?x5xf32>
  %2 = tosa.concat %1, %1 {axis = 0 : i32} : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// Types become better where the operation's verifier takes them.
// CHECK-LABEL: func.func @types
// CHECK: %[[SUM:.+]] = arith.addf %{{.+}}, %{{.+}} : tensor<4x5xf32>
// CHECK: math.exp %[[SUM]] : tensor<4x5xf32>
func.func @types(%b: tensor<4x5xf32>) -> tensor<?x?xf32> {
  %c = tensor.cast %b : tensor<4x5xf32> to tensor<?x?xf32>
  %0 = arith.addf %c, %c : tensor<?x?xf32>
  %1 = math.exp %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Scalars and index arithmetic are left alone.
// CHECK-LABEL: func.func @scalars
// CHECK-NEXT: arith.addi
// CHECK-NEXT: return
func.func @scalars(%a: index) -> index {
  %0 = arith.addi %a, %a : index
  return %0 : index
}
