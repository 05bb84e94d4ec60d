// RUN: broadloom-opt %s --loom-refine-shapes -split-input-file | FileCheck %s

// The result type is refined; what the constraint says stands before it.
// sf-3, sf-4, sf-11, S-2
// CHECK-LABEL: func.func @matmul
// CHECK: %[[N:.+]] = tensor.dim %arg0, %{{.+}} : tensor<?x4x?xf32>
// CHECK: %[[SAME:.+]] = arith.cmpi eq, %[[N]], %{{.+}} : index
// CHECK: loom.constrain "tosa.matmul", %[[SAME]], "a has {0} matrices but b has 2"(%[[N]] : index)
// CHECK: loom.constrain "tosa.matmul", %{{.+}}, "a has {0} columns but b has {1} rows"
// CHECK: tosa.matmul {{.+}} -> tensor<2x4x7xf32>
// CHECK: tensor.cast %{{.+}} : tensor<2x4x7xf32> to tensor<?x?x?xf32>
func.func @matmul(%a: tensor<?x4x?xf32>, %b: tensor<2x?x7xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<?x4x?xf32>, tensor<2x?x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// What must hold anyway leaves no trace. sf-6, ext-2, S-4
// CHECK-LABEL: func.func @there_and_back
// CHECK-NOT: loom.constrain
// CHECK: tosa.reshape {{.+}} -> tensor<?x10xf32>
// CHECK: tosa.reshape {{.+}} -> tensor<?x4x5xf32>
// CHECK: tosa.concat {{.+}} -> tensor<?x8x5xf32>
// CHECK: return
func.func @there_and_back(%a: tensor<?x4x5xf32>) -> tensor<?x?x?xf32> {
  %s = tosa.const_shape {values = dense<[-1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %a, %s : (tensor<?x4x5xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %s2 = tosa.const_shape {values = dense<[-1, 4, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r2 = tosa.reshape %r, %s2 : (tensor<?x?xf32>, !tosa.shape<3>) -> tensor<?x?x?xf32>
  %r3 = tosa.concat %a, %r2 {axis = 1 : i32} : (tensor<?x4x5xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r3 : tensor<?x?x?xf32>
}

// -----

// A declared extent that is not inferred is a constraint, not an assumption.
// rt-4
// CHECK-LABEL: func.func @declared
// CHECK: loom.constrain "tosa.pad", %{{.+}}, "axis 0 of result 0 is declared 7 but is {0}"
// CHECK: tosa.pad {{.+}} -> tensor<7x5xf32>
func.func @declared(%a: tensor<?x3xf32>) -> tensor<7x5xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = tosa.const_shape {values = dense<[1, 2, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.pad %a, %p, %z : (tensor<?x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}

