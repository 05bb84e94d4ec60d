// Subtracts one row from each row of a matrix. The layout of `row` puts the
// elements of a column at one place, so that it is read-only, and an array that
// `numpy.broadcast_to` gives.

func.func @main(%a: memref<?x?xf32>,
                %row: memref<?x?xf32, affine_map<(i, j) -> (0, j)>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = affine.load %row[%i, %j] : memref<?x?xf32, affine_map<(i, j) -> (0, j)>>
      %z = arith.subf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
