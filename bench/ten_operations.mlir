func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %d: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.sub %1, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %5 = tosa.mul %2, %4, %s : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %6 = tosa.concat %5, %2 {axis = 1 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %7 = tosa.add %6, %d : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %8 = tosa.transpose %7 {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %9 = tosa.maximum %8, %8 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %9 : tensor<?x?xf32>
}
