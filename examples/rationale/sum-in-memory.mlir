// The same by way of memory without axes, which is how a scalar leaves a loop
// that carries no values. (Rationale: "Loads and stores")

// The sum of the first N elements.
func.func @sum(%A: memref<?xi32>, %N: index) -> i32 {
  %zero = arith.constant 0 : i32
  %s = memref.alloca() : memref<i32>
  affine.store %zero, %s[] : memref<i32>
  affine.for %i = 0 to %N {
    %value = affine.load %A[%i] : memref<?xi32>
    %before = affine.load %s[] : memref<i32>
    %sum = arith.addi %before, %value : i32
    affine.store %sum, %s[] : memref<i32>
  }
  %result = affine.load %s[] : memref<i32>
  return %result : i32
}

// The sum of the upper half of the first N elements.
func.func @sum_half(%A: memref<?xi32>, %N: index) -> i32 {
  %zero = arith.constant 0 : i32
  %s = memref.alloca() : memref<i32>
  affine.store %zero, %s[] : memref<i32>
  affine.for %i = 0 to %N {
    affine.if affine_set<(i)[N] : (2 * i - N >= 0)>(%i)[%N] {
      %value = affine.load %A[%i] : memref<?xi32>
      %before = affine.load %s[] : memref<i32>
      %sum = arith.addi %before, %value : i32
      affine.store %sum, %s[] : memref<i32>
    }
  }
  %result = affine.load %s[] : memref<i32>
  return %result : i32
}
