// What a result declares and the operands' types leave open: the operation gives
// what the operands say, and a cast follows. mlir-opt verifies what is printed.
// RUN: broadloom compile %s --strategy=rfc --emit=linalg | mlir-opt | FileCheck %s
// RUN: broadloom compile %s --emit=linalg | mlir-opt | FileCheck %s --check-prefix=GUARDED
// RUN: broadloom compile %s --emit=llvm -o /dev/null

// CHECK-LABEL: func.func @reverse
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<?x3xf32>)
// CHECK:         tensor.cast %{{.*}} : tensor<?x3xf32> to tensor<5x3xf32>
// GUARDED-LABEL: func.func @reverse
func.func @reverse(%a: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %r = tosa.reverse %a {axis = 0 : i32} : (tensor<?x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @transpose
// CHECK:         tensor.cast %{{.*}} : tensor<3x?xf32> to tensor<3x5xf32>
func.func @transpose(%a: tensor<?x3xf32>) -> tensor<3x5xf32> {
  %r = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<?x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @table
// CHECK:         tensor.cast %{{.*}} : tensor<?xi8> to tensor<5xi8>
func.func @table(%a: tensor<?xi8>, %t: tensor<256xi8>) -> tensor<5xi8> {
  %r = tosa.table %a, %t : (tensor<?xi8>, tensor<256xi8>) -> tensor<5xi8>
  return %r : tensor<5xi8>
}

// A row of 4 or of 5 elements gives 3; both forms leave that open.
// CHECK-LABEL: func.func @transform
// CHECK:         tensor.cast %{{.*}} to tensor<1x4x3xf32>
// GUARDED-LABEL: func.func @transform
// GUARDED:         tensor.cast %{{.*}} : tensor<1x4x?xf32> to tensor<1x4x3xf32>
func.func @transform(%a: tensor<1x4x?xf32>) -> tensor<1x4x3xf32> {
  %r, %i = tosa.rfft2d %a : (tensor<1x4x?xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>)
  return %r : tensor<1x4x3xf32>
}

// Where a branch says that the extent is not what the result declares, the
// branch has a guard that fails, and is compiled all the same.
// GUARDED-LABEL: func.func @contradiction
func.func @contradiction(%a: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<1x?xf32>
  %p = arith.cmpi ugt, %n, %c1 : index
  %r = scf.if %p -> tensor<?x?xf32> {
    %t = tosa.transpose %a {perms = array<i32: 0, 1>} : (tensor<1x?xf32>) -> tensor<1x1xf32>
    %c = tensor.cast %t : tensor<1x1xf32> to tensor<?x?xf32>
    scf.yield %c : tensor<?x?xf32>
  } else {
    %c = tensor.cast %a : tensor<1x?xf32> to tensor<?x?xf32>
    scf.yield %c : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// The same for a shape that is computed from extents.
// GUARDED-LABEL: func.func @contradictedShape
func.func @contradictedShape(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %p = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %p -> tensor<?x?xf32> {
    %d = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
    %five = tosa.const_shape {values = dense<5> : tensor<1xindex>} : () -> !tosa.shape<1>
    %s = tosa.add_shape %d, %five : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %t = tosa.concat_shape %s, %five : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
    %e = tosa.reshape %a, %t : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
    scf.yield %e : tensor<?x?xf32>
  } else {
    scf.yield %a : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
