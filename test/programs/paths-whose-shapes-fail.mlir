// RUN: broadloom run %s --function=remainder --input=2xf32="1 2" | FileCheck %s --check-prefix=REMAINDER
// RUN: not broadloom run %s --function=remainder --input=0xf32= 2>&1 | FileCheck %s --check-prefix=REMAINDER-ZERO
// RUN: broadloom run %s --function=slice --input=2xf32="1 2" | FileCheck %s --check-prefix=SLICE
// RUN: not broadloom run %s --function=slice --input=1000xf32=1 2>&1 | FileCheck %s --check-prefix=SLICE-OPEN
// RUN: broadloom check %s --function=remainder | FileCheck %s --check-prefix=CHECK-REMAINDER

// ext-2: On a path an extent is known for which the path cannot go on. The
// program is valid: a guard fails where the path is taken.

// CHECK-REMAINDER: it holds for no extents; it fails wherever it is reached
// CHECK-REMAINDER: none refuted
// REMAINDER: [1. 2.]
// REMAINDER-ZERO: paths-whose-shapes-fail.mlir:[[#@LINE+9]]:10: 'tosa.mod_shape': number 0 of input2 must be positive, but is 0
func.func @remainder(%a: tensor<?xf32>) -> tensor<?xf32> {
  %axis = arith.constant 0 : index
  %one = arith.constant 1 : index
  %extent = tensor.dim %a, %axis : tensor<?xf32>
  %isEmpty = arith.cmpi slt, %extent, %one : index
  %r = scf.if %isEmpty -> tensor<?xf32> {
    %eight = tosa.const_shape {values = dense<[8]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %n = tosa.dim %a {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
    %m = tosa.mod_shape %eight, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %k = tosa.mod_shape %eight, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %p = tosa.concat_shape %m, %k : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
    %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
    %0 = tosa.pad %a, %p, %z : (tensor<?xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// SLICE: [1. 2.]
// SLICE-OPEN: paths-whose-shapes-fail.mlir:[[#@LINE+9]]:10: 'tosa.slice': axis 0 of result 0 is declared 7 but is 990
func.func @slice(%a: tensor<?xf32>) -> tensor<?xf32> {
  %axis = arith.constant 0 : index
  %most = arith.constant 1000 : index
  %extent = tensor.dim %a, %axis : tensor<?xf32>
  %isLarge = arith.cmpi eq, %extent, %most : index
  %r = scf.if %isLarge -> tensor<?xf32> {
    %start = tosa.const_shape {values = dense<[10]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %size = tosa.const_shape {values = dense<[-1]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %0 = tosa.slice %a, %start, %size : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<7xf32>
    %1 = tensor.cast %0 : tensor<7xf32> to tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
