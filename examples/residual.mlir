// A projection with a residual connection, for any batch and any length. What
// its shapes must fulfil is told by
//
//   broadloom check examples/residual.mlir
//   broadloom check examples/residual.mlir --format=html --output=residual.html
//
// Most of it is proved: by the types, by what symbols are equal, by guards that
// stand earlier. What is left is about the arguments alone.
func.func @residual(%x: tensor<?x?x64xf32>, %weights: tensor<?x64x64xf32>, %bias: tensor<64xf32>, %skip: tensor<?x?x64xf32>) -> tensor<?x?x128xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // One matrix of weights for each of the batch: a question of the arguments.
  %projected = tosa.matmul %x, %weights, %zero, %zero : (tensor<?x?x64xf32>, tensor<?x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x64xf32>
  %biased = tosa.add %projected, %bias : (tensor<?x?x64xf32>, tensor<64xf32>) -> tensor<?x?x64xf32>
  // Does the residual fit? Once this is checked, it is known below.
  %sum = tosa.add %biased, %skip : (tensor<?x?x64xf32>, tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %gate = tosa.sigmoid %skip : (tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %gated = tosa.mul %sum, %gate, %shift : (tensor<?x?x64xf32>, tensor<?x?x64xf32>, tensor<1xi8>) -> tensor<?x?x64xf32>
  %both = tosa.concat %gated, %gated {axis = 2 : i32} : (tensor<?x?x64xf32>, tensor<?x?x64xf32>) -> tensor<?x?x128xf32>
  return %both : tensor<?x?x128xf32>
}
