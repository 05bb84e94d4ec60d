// Extents have names, and types have none: both arguments are 'memref<?xf32>', and
// an attribute says that their extents are one number, which each call checks.
// (Rationale: "Symbols and types")
func.func @add_to(
    %a: memref<?xf32> {loom.extents = #loom.extents<[n]>},
    %b: memref<?xf32> {loom.extents = #loom.extents<[n]>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = affine.load %b[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %b[%i] : memref<?xf32>
  }
  return
}
