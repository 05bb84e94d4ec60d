// Scalars that leave a loop, as values that it carries. (Rationale: "affine.if
// and affine.for extensions for escaping scalars")

// The sum of the first N elements.
func.func @sum(%A: memref<?xi32>, %N: index) -> i32 {
  %init = arith.constant 0 : i32
  %result = affine.for %i = 0 to %N iter_args(%tmp = %init) -> (i32) {
    %value = affine.load %A[%i] : memref<?xi32>
    %sum = arith.addi %value, %tmp : i32
    affine.yield %sum : i32
  }
  return %result : i32
}

// The sum of the upper half of the first N elements.
func.func @sum_half(%A: memref<?xi32>, %N: index) -> i32 {
  %s0 = arith.constant 0 : i32
  %s1 = affine.for %i = 0 to %N iter_args(%s2 = %s0) -> (i32) {
    %s3 = affine.if affine_set<(i)[N] : (2 * i - N >= 0)>(%i)[%N] -> i32 {
      %v0 = affine.load %A[%i] : memref<?xi32>
      %s4 = arith.addi %s2, %v0 : i32
      affine.yield %s4 : i32
    } else {
      affine.yield %s2 : i32
    }
    affine.yield %s3 : i32
  }
  return %s1 : i32
}
