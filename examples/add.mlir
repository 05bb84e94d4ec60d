// The smallest dynamic program: extents of 1 broadcast, others must agree.
//
//   broadloom run examples/add.mlir --input="2x3xf32=1 2 3 4 5 6" --input=1x3xf32=10
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %sum = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %sum : tensor<?x?xf32>
}
