// RUN: split-file %s %t
// RUN: broadloom run %t/pad.mlir "--input=2xf32=1 2" --input=i64=1 --input=i64=0 | FileCheck %s --check-prefix=PAD
// RUN: not broadloom run %t/pad.mlir --input=4xf32=1 --input=i64=9223372036854775807 --input=i64=9223372036854775807 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not broadloom run %t/constant.mlir --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not broadloom run %t/steps.mlir --input=4xf32=1 --input=3xf32=2 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not broadloom run %t/tile.mlir --input=8xf32=1 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not broadloom run %t/promise.mlir --input=256xf32=1 --input=0xf32= 2>&1 | FileCheck %s --check-prefix=PROMISE
// RUN: broadloom run %t/promise.mlir --input=0xf32= --input=0xf32= | FileCheck %s --check-prefix=EMPTY
// RUN: not broadloom run %t/repeat.mlir --input=4xf32=1 --input=i64=4611686018427387904 2>&1 | FileCheck %s --check-prefix=REPEAT
// RUN: not broadloom shapes %t/promise.mlir --input=0 --input=72057594037927937 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: broadloom run %t/division.mlir --input=3xi64=1 --input=i64=-1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: not broadloom run %t/division.mlir --input=3xi64=1 --input=i64=1 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not broadloom run %t/least.mlir --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: broadloom run %t/least.mlir --input=12xf32=1 | FileCheck %s --check-prefix=UNTAKEN

// What wraps in 64 bits would be a small extent, and pass. rt-13, ext-5

// PAD: [0. 1. 2.]
// FAR: 'tensor.pad': axis 0 of extent 4 has padding of 9223372036854775807 and 9223372036854775807, which does not fit 63 bits
// CONSTANT: error: 'tensor.pad': axis 0 of extent ? (axis 0 of argument 'a') has padding of 9223372036854775807 and 9223372036854775807, which does not fit 63 bits
// STEPS: 'tensor.insert_slice': the slice takes 3 elements of axis 0 from 1 on in steps of 4611686018427387904
// TILE: 'tosa.tile': the extent of axis 0 of result 0 does not fit 63 bits
// PROMISE: axis 0 has extent 0, but 'n * n * n * n * n * n * n * n' is (beyond 64 bits) with 'n' = 256
// EMPTY: []
// REPEAT: 'tensor.extract_slice': axis 0 has extent 4611686018427387904, expected at most 18014398509481984, since memory is limited
// MEMORY: argument 'b' has shape 72057594037927937, which no memory can hold
// UNSIGNED: 0
// ZERO: 'arith.remsi': division by 0
// LEAST: 'tosa.slice'
// UNTAKEN: [1. 1. 1.

//--- pad.mlir
func.func @main(%a: tensor<?xf32>, %l: i64, %h: i64) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %lo = arith.index_cast %l : i64 to index
  %hi = arith.index_cast %h : i64 to index
  %r = tensor.pad %a low[%lo] high[%hi] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- constant.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %r = tensor.pad %a low[9223372036854775807] high[9223372036854775807] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- steps.mlir
func.func @main(%a: tensor<?xf32>, %b: tensor<3xf32>) -> tensor<?xf32> {
  %r = tensor.insert_slice %b into %a[1] [3] [4611686018427387904] : tensor<3xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- tile.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %p = tosa.const_shape {values = dense<[2305843009213693953]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.tile %a, %p : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- promise.mlir
func.func @main(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>}, %b: tensor<?xf32> {loom.extents = #loom.extents<[n * n * n * n * n * n * n * n]>}) -> tensor<?xf32> {
  return %b : tensor<?xf32>
}

//--- repeat.mlir
func.func @main(%a: tensor<?xf32>, %n: i64) -> tensor<?xf32> {
  %k = arith.index_cast %n : i64 to index
  %c0 = arith.constant 0 : index
  %r = tensor.extract_slice %a[0] [%k] [%c0] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- division.mlir
func.func @main(%x: tensor<?xi64>, %ki: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %k = arith.index_cast %ki : i64 to index
  %v1 = arith.cmpi ule, %n, %k : index
  %v2 = arith.select %v1, %n, %c0 : index
  %m = arith.remsi %c0, %v2 : index
  %z = arith.index_cast %m : index to i64
  return %z : i64
}

//--- least.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %c = arith.constant 9 : index
  %k = arith.cmpi ugt, %d, %c : index
  %r = scf.if %k -> tensor<?xf32> {
    scf.yield %a : tensor<?xf32>
  } else {
    %s = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
    %z = tosa.const_shape {values = dense<-9223372036854775808> : tensor<1xindex>} : () -> !tosa.shape<1>
    %v = tosa.slice %a, %s, %z : (tensor<?xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
