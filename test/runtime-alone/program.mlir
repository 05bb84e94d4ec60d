// What the test runs on another architecture: a fused reduction behind
// element-wise work, integers with an error, and a sum of products.

func.func @softmax(%x: tensor<?x?xf32>, %b: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %s = tosa.add %x, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %t = tosa.tanh %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tosa.reduce_max %t {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %d = tosa.sub %t, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = tosa.exp %d : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %r = tosa.reciprocal %n : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.mul %e, %r, %shift : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @product(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = tosa.matmul %x, %y, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %p : tensor<?x?x?xf32>
}
