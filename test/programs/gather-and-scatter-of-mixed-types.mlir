// RUN: broadloom run %s --function=gather --input="1x2x2xf32=1 2 3 4" --input="1x3xi32=1 0 1" | FileCheck %s --check-prefix=GATHER
// RUN: broadloom run %s --function=scatter --input="1x2x2xf32=1 2 3 4" --input="1x1xi32=1" --input="1x1x2xf32=8 9" | FileCheck %s --check-prefix=SCATTER
// RUN: broadloom run %s --function=untaken --input="2x3x2xf32=0" --input="16x5xi32=0" | FileCheck %s --check-prefix=UNTAKEN
// RUN: broadloom compile %s --emit=linalg -o /dev/null

// Each operand says other extents of the result than its type.
// GATHER: {{\[\[\[}}3. 4.]
// GATHER-NEXT: [1. 2.]
// GATHER-NEXT: [3. 4.]]]
func.func @gather(%v: tensor<1x?x2xf32>, %i: tensor<?x3xi32>) -> tensor<?x?x?xf32> {
  %g = tosa.gather %v, %i : (tensor<1x?x2xf32>, tensor<?x3xi32>) -> tensor<?x?x?xf32>
  return %g : tensor<?x?x?xf32>
}

// SCATTER: {{\[\[\[}}1. 2.]
// SCATTER-NEXT: [8. 9.]]]
// SCATTER-NEXT: {{\[\[\[}}1. 2.]
// SCATTER-NEXT: [3. 4.]]]
func.func @scatter(%v: tensor<?x2x?xf32>, %i: tensor<1x1xi32>, %x: tensor<1x?x2xf32>) -> (tensor<?x?x2xf32>, tensor<?x2x?xf32>) {
  %s = tosa.scatter %v, %i, %x : (tensor<?x2x?xf32>, tensor<1x1xi32>, tensor<1x?x2xf32>) -> tensor<?x?x2xf32>
  return %s, %v : tensor<?x?x2xf32>, tensor<?x2x?xf32>
}

// What is known where the branch is not taken contradicts the branch.
// UNTAKEN: {{\[\[\[}}0. 0.]
func.func private @helper(%p: tensor<?x?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?x?xf32> {
  %c2 = arith.constant 2 : index
  %d = tensor.dim %p, %c2 : tensor<?x?x?xf32>
  %c16 = arith.constant 16 : index
  %k = arith.cmpi sle, %d, %c16 : index
  %r = scf.if %k -> (tensor<?x?x?xf32>) {
    scf.yield %p : tensor<?x?x?xf32>
  } else {
    %g = tosa.gather %p, %i : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>
    scf.yield %g : tensor<?x?x?xf32>
  }
  return %r : tensor<?x?x?xf32>
}
func.func @untaken(%v: tensor<?x?x?xf32> {loom.extents = #loom.extents<[n, ?, n]>}, %i: tensor<16x5xi32>) -> tensor<?x?x?xf32> {
  %r = func.call @helper(%v, %i) : (tensor<?x?x?xf32>, tensor<16x5xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
