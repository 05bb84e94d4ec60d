// A program that can never run: axis 1 is 3 in one operand and 2 in the other,
// and neither is 1. Broadloom rejects it and names the axis and the extents.
//
//   broadloom run examples/mismatch.mlir --input=4x3xf32=1 --input=4x2xf32=2
func.func @mismatch(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %sum = tosa.add %a, %b : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  return %sum : tensor<4x3xf32>
}
