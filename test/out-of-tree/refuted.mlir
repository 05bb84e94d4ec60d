// Run by run.cmake under whole pipelines: the same error with and without TOSA.
func.func @alone(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{'quilt.block': a block is square, but this has 2 rows and 3 columns}}
  %0 = quilt.block %a : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @beside(%a: tensor<2x3xf32>) -> (tensor<?x?xf32>, tensor<1x3xf32>) {
  // expected-error@+1 {{'quilt.block': a block is square, but this has 2 rows and 3 columns}}
  %0 = quilt.block %a : (tensor<2x3xf32>) -> tensor<?x?xf32>
  %1 = tosa.reduce_max %a {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<1x3xf32>
}

// -----

func.func @behind(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %0 = tosa.exp %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // expected-error@+1 {{'quilt.block': a block is square, but this has 2 rows and 3 columns}}
  %1 = quilt.block %0 : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
