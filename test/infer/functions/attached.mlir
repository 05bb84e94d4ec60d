// RUN: broadloom-opt %s --loom-check-shape-functions -split-input-file -verify-diagnostics=only-expected

// Shape functions in the definitions of operations (dialect/ShapeFunction.td).
// sf-1, S-21

// The definition holds its function, or names one.
func.func @declared(%a: tensor<?x4xf32>) {
  %0 = "test.rows"(%a) : (tensor<?x4xf32>) -> tensor<?xf32>
  %1 = "test.like"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @another(%a: tensor<3x4xf32>) {
  // expected-error @+1 {{'test.rows' is declared tensor<4xf32> but from its operands it is tensor<3xf32>}}
  %0 = "test.rows"(%a) : (tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @refuted(%a: tensor<3xf32>) {
  // expected-error @+1 {{'test.rows': a matrix has 2 axes, but this has 1}}
  %0 = "test.rows"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return
}
