// An image that goes on beyond its ends, of which no copy is made: the inner
// part of the result reads the image itself, and only thin edges are computed
// apart. (Rationale: "Memref extensions", padding)

// out[i, j] = the sum of the four neighbours of x[i, j]; an image is mirrored at
// its ends.
func.func @neighbours(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = loom.boundary reflect %x low[1, 1] high[1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %up = tensor.extract_slice %p[0, 1] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %left = tensor.extract_slice %p[1, 0] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %right = tensor.extract_slice %p[1, 2] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %down = tensor.extract_slice %p[2, 1] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %0 = tosa.add %up, %left : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tosa.add %0, %right : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tosa.add %1, %down : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
