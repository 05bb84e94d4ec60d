// GELU after a bias, for any number of rows and columns: the extents of both
// arguments are known only when the program runs, and so is whether they fit.
//
//   broadloom run examples/gelu_bias.mlir \
//     --input="2x3xf32=-1 0 1 2 3 4" --input="1x3xf32=0.5 0 -0.5"
func.func @gelu_bias(%x: tensor<?x?xf32>, %bias: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %half = "tosa.const"() <{values = dense<0.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %rsqrt2 = "tosa.const"() <{values = dense<0.70710678> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.add %x, %bias : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %scaled = tosa.mul %y, %rsqrt2, %shift : (tensor<?x?xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %erf = tosa.erf %scaled : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %erf1 = tosa.add %erf, %one : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
  %cdf = tosa.mul %erf1, %half, %shift : (tensor<?x?xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %result = tosa.mul %y, %cdf, %shift : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
