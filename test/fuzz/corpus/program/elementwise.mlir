func.func @f(%a: tensor<?x4xf32>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
