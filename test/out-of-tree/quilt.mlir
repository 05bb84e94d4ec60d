// Run by run.cmake, under -verify-diagnostics -split-input-file.

// bcast-2, bcast-6: result types that nobody wrote.
func.func @inferred(%a: tensor<?x1xf32>, %b: tensor<4xf32>, %u: tensor<*xf32>)
    -> (tensor<?x4xf32>, tensor<*xf32>) {
  %0 = quilt.stitch %a, %b : tensor<?x1xf32>, tensor<4xf32>
  %1 = quilt.stitch %0, %u : tensor<?x4xf32>, tensor<*xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<*xf32>
}

// -----

// verify-1: said by the parser, which infers.
func.func @operands(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{operands are not broadcast-compatible along axis 1: extents 3 and 4}}
  %0 = quilt.stitch %a, %b : tensor<2x3xf32>, tensor<4xf32>
  return
}

// -----

// verify-4
func.func @strict(%a: tensor<?xf32>) {
  // expected-error@+1 {{'quilt.patch' op result axis 0 has the static extent 4 but the operands give ?}}
  %0 = quilt.patch %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

// verify-5
func.func @ranks(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'quilt.patch' op all ranks must be equal, but operand 0 has rank 2 and operand 1 has rank 1}}
  %0 = quilt.patch %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
