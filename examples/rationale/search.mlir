// Of each row, the first column that holds the key: control flow that depends on
// data, in a function that an affine loop calls. A row without the key leaves
// its entry as it was. (Rationale: "Dynamic control flow")
func.func @search(%A: memref<?x?xi32>, %S: memref<?xi32>, %key: i32) {
  %c0 = arith.constant 0 : index
  %ni = memref.dim %A, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %ni {
    func.call @search_body(%A, %S, %key, %i) : (memref<?x?xi32>, memref<?xi32>, i32, index) -> ()
  }
  return
}

func.func private @search_body(%A: memref<?x?xi32>, %S: memref<?xi32>, %key: i32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %nj = memref.dim %A, %c1 : memref<?x?xi32>
  cf.br ^bb1(%c0 : index)

^bb1(%j: index):
  %p1 = arith.cmpi slt, %j, %nj : index
  cf.cond_br %p1, ^bb2, ^bb5

^bb2:
  %v = memref.load %A[%i, %j] : memref<?x?xi32>
  %p2 = arith.cmpi eq, %v, %key : i32
  cf.cond_br %p2, ^bb3(%j : index), ^bb4

^bb3(%found: index):
  %column = arith.index_cast %found : index to i32
  memref.store %column, %S[%i] : memref<?xi32>
  cf.br ^bb5

^bb4:
  %jinc = arith.addi %j, %c1 : index
  cf.br ^bb1(%jinc : index)

^bb5:
  return
}
