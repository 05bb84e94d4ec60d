// The shape of a matrix in a file, and the sum of each of its rows.
func.func @shape(%file: tensor<?xi8>) -> tensor<2xindex> {
  %extents = "idx.extents"(%file) : (tensor<?xi8>) -> tensor<2xindex>
  return %extents : tensor<2xindex>
}
func.func @main(%file: tensor<?xi8>) -> tensor<?x1xf32> {
  %extents = "idx.extents"(%file) : (tensor<?xi8>) -> tensor<2xindex>
  %matrix = "idx.read"(%file, %extents) : (tensor<?xi8>, tensor<2xindex>) -> tensor<?x?xf32>
  %sum = tosa.reduce_sum %matrix {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return %sum : tensor<?x1xf32>
}
