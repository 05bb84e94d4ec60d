// RUN: broadloom-opt %s -split-input-file --loom-print-shape-functions -o /dev/null | FileCheck %s --check-prefix=PRINT
// RUN: broadloom-opt %s --loom-check-shape-functions -split-input-file -verify-diagnostics=only-expected

// Functions that nobody wrote: sf-9, S-21. What is printed is text as in a
// library.

// PRINT: // arith.addf, from its traits; the rest from its own inference
// PRINT: shape.func @addf(%[[A:.+]]: !shape.value_shape, %[[B:.+]]: !shape.value_shape) -> (!shape.shape, !loom.element_type, !loom.encoding) {
// PRINT: %[[SHAPE:.+]] = shape_of %[[A]]
// PRINT: loom.constraint %{{.+}}, "operand {0} has elements of type {1} but operand 0 of {2}"
// PRINT: loom.constraint %{{.+}}, "operand {0} has shape {1} but must have that of operand 0, {2}"
// PRINT: meet %[[SHAPE]]
// PRINT: return
func.func @same_type(%a: tensor<?x4xf32>, %b: tensor<3x4xf32>) {
  %0 = arith.addf %b, %b : tensor<3x4xf32>
  return
}

// PRINT: // arith.cmpi, from its traits; the rest from its own inference
// PRINT: // arith.select, from its traits
// PRINT: loom.is_scalar
func.func @elementwise(%a: tensor<3x4xi32>, %c: i1, %v: vector<4xi32>, %s: i32) {
  %0 = arith.cmpi slt, %a, %a : tensor<3x4xi32>
  %1 = arith.select %0, %a, %a : tensor<3x4xi1>, tensor<3x4xi32>
  %2 = arith.select %c, %a, %a : tensor<3x4xi32>
  // One function for tensors, vectors and scalars. S-20
  %3 = arith.select %c, %v, %v : vector<4xi32>
  %4 = arith.select %c, %s, %s : i32
  return
}

// PRINT: // test.infer_broadcast, from its traits; the rest from its own inference
// PRINT: shape.func @infer_broadcast(%[[ALL:.+]]: tensor<?x!shape.value_shape>) -> !shape.shape {
// PRINT: loom.constraint %{{.+}}, "there is no operand"
// PRINT: scf.for
// PRINT: shape.broadcast
func.func @broadcast(%a: tensor<?x1xf32>, %b: tensor<3x4xf32>) {
  %0 = "test.infer_broadcast"(%a, %b) : (tensor<?x1xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = "test.infer_broadcast"(%a, %a, %a) : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
  return
}

// Of the other policy too; the element type is the program's.
// PRINT: // test.strict_pair, from its traits
// PRINT: shape.broadcast
func.func @strict(%a: tensor<?x1xf32>, %b: tensor<3x4xf32>) {
  %0 = "test.strict_pair"(%b, %b) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi8>
  return
}

// PRINT: // test.same_shape, from its traits
// PRINT: shape.func @same_shape({{.+}}) -> !shape.shape {
func.func @same_shape(%a: tensor<3x4xf32>, %b: tensor<3x4xi8>) {
  %0 = "test.same_shape"(%a, %b) : (tensor<3x4xf32>, tensor<3x4xi8>) -> tensor<3x4xi1>
  return
}

// Of the result its traits say nothing.
// PRINT: // test.same_shapes, from its traits
// PRINT: shape.func @same_shapes({{.+}}) -> !loom.element_type {
func.func @same_shapes(%a: tensor<3x4xf32>) {
  %0 = "test.same_shapes"(%a, %a) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return
}

// Only where the operation's inference cannot have taken an unknown extent for
// something is its result believed.
// PRINT: // test.halves, from its own inference
func.func @interface(%a: tensor<6xf32>, %b: tensor<?xf32>) {
  %0 = "test.halves"(%a) : (tensor<6xf32>) -> tensor<3xf32>
  %1 = "test.halves"(%b) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @by_inference(%a: tensor<6x2xf32>) {
  // expected-error @+1 {{'test.halves': halves are of vectors}}
  %0 = "test.halves"(%a) : (tensor<6x2xf32>) -> tensor<3xf32>
  return
}
