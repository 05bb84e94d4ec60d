// Adds what each call is given to what the calls before it were given.
tosa.variable @sum = dense<0.0> : tensor<3xf32>

func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %sum = tosa.variable_read @sum : tensor<3xf32>
  %next = tosa.add %sum, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  tosa.variable_write @sum, %next : tensor<3xf32>
  return %next : tensor<3xf32>
}
