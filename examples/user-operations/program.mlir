func.func @main(%matrix: tensor<?x?xf32>, %scale: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = "mine.scale_rows"(%matrix, %scale) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = "mine.soft_clip"(%1) {limit = 10.0 : f32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
