// Run by run.cmake under whole pipelines: a guard, without any TOSA.
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = quilt.block %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
