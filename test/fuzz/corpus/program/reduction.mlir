func.func @f(%a: tensor<?x3xf32> {loom.extents = #loom.extents<[n, 3]>}) -> tensor<3x?xf32> {
  %0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<?x3xf32>) -> tensor<?x1xf32>
  %1 = tosa.sub %a, %0 : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x?xf32>
  return %2 : tensor<3x?xf32>
}
