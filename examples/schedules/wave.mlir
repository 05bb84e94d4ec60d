func.func @wave(%a: memref<?x?xf64>, %n: index) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i - 1, %j + 1] : memref<?x?xf64>
      affine.store %x, %a[%i, %j] : memref<?x?xf64>
    } {loom.loop = "j"}
  } {loom.loop = "i"}
  return
}
