// Run by run.cmake, under -loom-check-shape-functions
// -verify-diagnostics=only-expected -split-input-file.

// sf-2, S-12: as declared, from operands alone: by the function in the
// definition, by the one that it names, and by the trait.
func.func @inferred(%a: tensor<?x4xf32>, %b: tensor<4xf32>) {
  %0 = quilt.border %a {width = 3} : (tensor<?x4xf32>) -> tensor<?x10xf32>
  %1 = quilt.wash %0 : (tensor<?x10xf32>) -> tensor<?x10xf32>
  %2 = quilt.stitch %a, %b : tensor<?x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @declared(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{'quilt.border' is declared tensor<8x9xf32> but from its operands it is tensor<8x10xf32>}}
  %0 = quilt.border %a {width = 3} : (tensor<2x4xf32>) -> tensor<8x9xf32>
  return
}

// -----

// sf-3: in the words of the definition.
func.func @refuted(%a: tensor<4xf32>) {
  // expected-error@+1 {{'quilt.border': a quilt has rows and columns, but this has 1 axes}}
  %0 = quilt.border %a {width = 3} : (tensor<4xf32>) -> tensor<10xf32>
  return
}
