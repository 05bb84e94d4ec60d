func.func @main(%values: tensor<?xf32>) -> tensor<?xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %positive = tosa.greater %values, %zero : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xi1>
  %kept = "data.filter"(%values, %positive) : (tensor<?xf32>, tensor<?xi1>) -> tensor<?xf32>
  %result = tosa.exp %kept : (tensor<?xf32>) -> tensor<?xf32>
  return %result : tensor<?xf32>
}
