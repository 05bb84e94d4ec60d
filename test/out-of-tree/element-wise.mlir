// Run by run.cmake, under -broadloom-legalize -loom-fuse-maps
// -loom-insert-guards -convert-loom-to-linalg -loom-guards-to-assert: one loop,
// and a check of the extents that types leave open.
func.func @fused(%a: tensor<?x?xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = tosa.exp %b : (tensor<4xf32>) -> tensor<4xf32>
  %1 = quilt.overlap %a, %0 : tensor<?x?xf32>, tensor<4xf32>
  return %1 : tensor<?x4xf32>
}
