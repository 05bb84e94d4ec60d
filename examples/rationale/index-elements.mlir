// Numbers of type index are elements of memory, of vectors and of tensors. What is
// loaded is an index of other memory, which is checked before it is used.
// (Rationale: "Index type usage and limitations")
func.func @gather(%from: memref<?xf32>, %places: memref<?xindex>, %to: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %places, %c0 : memref<?xindex>
  affine.for %i = 0 to %n {
    %place = affine.load %places[%i] : memref<?xindex>
    %x = memref.load %from[%place] : memref<?xf32>
    affine.store %x, %to[%i] : memref<?xf32>
  }
  return
}

func.func @next_four(%places: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %ones = arith.constant dense<1> : vector<4xindex>
  %old = vector.load %places[%c0] : memref<4xindex>, vector<4xindex>
  %new = arith.addi %old, %ones : vector<4xindex>
  vector.store %new, %places[%c0] : memref<4xindex>, vector<4xindex>
  return
}

func.func @next(%places: tensor<?xindex>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %places, %c0 : tensor<?xindex>
  %one = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<?xindex>
  %new = linalg.map ins(%places : tensor<?xindex>) outs(%empty : tensor<?xindex>)
    (%place: index, %old: index) {
      %sum = arith.addi %place, %one : index
      linalg.yield %sum : index
    }
  return %new : tensor<?xindex>
}
