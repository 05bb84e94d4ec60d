// RUN: broadloom run %s --function=offset --input=3xf32=1 --input=i1=0 | FileCheck %s
// RUN: not broadloom run %s --function=offset --input=3xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=OFFSET
// RUN: broadloom run %s --function=stride --input=3xf32=1 --input=i1=0 | FileCheck %s
// RUN: not broadloom run %s --function=stride --input=3xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: broadloom run %s --function=insert --input=3xf32=1 --input=i1=0 | FileCheck %s
// RUN: broadloom run %s --function=products --input=4x4xf32=1 --input=i1=0 | FileCheck %s --check-prefix=SAME
// RUN: not broadloom run %s --function=products --input=4x4xf32=1 --input=i1=1 2>&1 | FileCheck %s --check-prefix=PRODUCTS

// abi-3: to upstream, -2^63 is an extent that is not known. Where a constant is
// that number, or an offset in memory comes to it, the compiler compiles all
// the same, and the call fails where it gets there.

// CHECK: [1. 1. 1.]
// OFFSET: 'tensor.extract_slice': the slice takes 1 elements of axis 0 from -9223372036854775808 on, but the extent is 3
func.func @offset(%t: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %m = arith.constant -9223372036854775808 : index
  %w = scf.if %k -> tensor<?xf32> {
    %q = tensor.extract_slice %t[%m] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %r = tensor.cast %q : tensor<1xf32> to tensor<?xf32>
    scf.yield %r : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %w : tensor<?xf32>
}

// STRIDE: 'tensor.extract_slice': the slice takes 3 elements of axis 0 from 0 on in steps of -9223372036854775808, but the extent is 3
func.func @stride(%t: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = arith.constant -9223372036854775808 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %w = scf.if %k -> tensor<?xf32> {
    %r = tensor.extract_slice %t[0] [%n] [%m] : tensor<?xf32> to tensor<?xf32>
    scf.yield %r : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %w : tensor<?xf32>
}

func.func @insert(%t: tensor<?xf32>, %k: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = arith.constant -9223372036854775808 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %w = scf.if %k -> tensor<?xf32> {
    %r = tensor.insert_slice %t into %t[0] [%n] [%m] : tensor<?xf32> into tensor<?xf32>
    scf.yield %r : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %w : tensor<?xf32>
}

// 2^61 rows of 4 elements are 2^63 elements.
// SAME: {{\[1. 1. 1. 1.\]}}
// PRODUCTS: 'tensor.extract_slice': the slice takes 1 elements of axis 0 from 2305843009213693952 on, but the extent is 4
func.func @products(%t: tensor<4x4xf32>, %k: i1) -> tensor<?x4xf32> {
  %m = arith.constant 2305843009213693952 : index
  %w = scf.if %k -> tensor<?x4xf32> {
    %q = tensor.extract_slice %t[%m, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
    %r = tensor.cast %q : tensor<1x4xf32> to tensor<?x4xf32>
    scf.yield %r : tensor<?x4xf32>
  } else {
    %r = tensor.cast %t : tensor<4x4xf32> to tensor<?x4xf32>
    scf.yield %r : tensor<?x4xf32>
  }
  return %w : tensor<?x4xf32>
}
