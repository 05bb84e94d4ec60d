// RUN: not broadloom run %s --function=splat --input=i64=9223372036854775807 2>&1 | FileCheck %s --check-prefix=SPLAT
// RUN: not broadloom run %s --function=splat --input=i64=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: broadloom run %s --function=branch --input=i1=0 | FileCheck %s --check-prefix=NONE
// RUN: not broadloom run %s --function=branch --input=i1=1 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: broadloom check %s --function=like | FileCheck %s --check-prefix=LIKE

// ext-5: a tensor that no memory can hold is a failed guard of the operation.

// SPLAT: sizes-of-no-memory.mlir:[[@LINE+4]]:8: 'tensor.splat': axis 0 has extent 9223372036854775807, expected at most 18014398509481984, since memory is limited
// NEGATIVE: 'tensor.splat': axis 0 has extent -1, expected at least 0
func.func @splat(%n: index) -> tensor<?xf32> {
  %z = arith.constant 5.0 : f32
  %r = tensor.splat %z[%n] : tensor<?xf32>
  return %r : tensor<?xf32>
}

// What is beside static extents is less.
// NONE: []
// BRANCH: 'tensor.empty': axis 1 has extent 9223372036854775807, expected at most 2251799813685248, since memory is limited
func.func @branch(%k: i1) -> tensor<4x?xf64> {
  %m = arith.constant 9223372036854775807 : index
  %c0 = arith.constant 0 : index
  %r = scf.if %k -> tensor<4x?xf64> {
    %e = tensor.empty(%m) : tensor<4x?xf64>
    scf.yield %e : tensor<4x?xf64>
  } else {
    %e = tensor.empty(%c0) : tensor<4x?xf64>
    scf.yield %e : tensor<4x?xf64>
  }
  return %r : tensor<4x?xf64>
}

// An extent of a tensor is one that there is.
// LIKE: none at run time
func.func @like(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  return %e : tensor<?xf32>
}
