// Run by run.cmake under whole pipelines: a guard, with TOSA in another function
// and in the same.
func.func @other(%a: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}
func.func @main(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<1x?xf32>) {
  %0 = quilt.block %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.reduce_max %0 {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<1x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<1x?xf32>
}
