// Memory whose number of columns is known when the program runs: the type says
// `?`, and 'memref.dim' asks. (Rationale: "Symbols and types")

// Adds one to each element.
func.func private @bar(%A: memref<8x?xf32>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %N = memref.dim %A, %c1 : memref<8x?xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %N {
      %s1 = affine.load %A[%i, %j] : memref<8x?xf32>
      %s2 = arith.addf %s1, %one : f32
      affine.store %s2, %A[%i, %j] : memref<8x?xf32>
    }
  }
  return
}

// out = in + 1, by way of memory of its own.
func.func @foo(%in: memref<8x?xf32>, %out: memref<8x?xf32>) {
  %c1 = arith.constant 1 : index
  %N = memref.dim %in, %c1 : memref<8x?xf32>
  %A = memref.alloc(%N) : memref<8x?xf32>
  memref.copy %in, %A : memref<8x?xf32> to memref<8x?xf32>
  call @bar(%A) : (memref<8x?xf32>) -> ()
  memref.copy %A, %out : memref<8x?xf32> to memref<8x?xf32>
  memref.dealloc %A : memref<8x?xf32>
  return
}
