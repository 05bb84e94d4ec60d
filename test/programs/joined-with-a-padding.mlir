// RUN: split-file %s %t
// RUN: broadloom run %t/pad.mlir --input=3xf64=1 --input=i64=2 --shapes | FileCheck %s
// RUN: not broadloom run %t/pad.mlir --input=3xf64=1 --input=i64=4611686018427387904 2>&1 | FileCheck %s --check-prefix=WRONG

// RUN: broadloom run %t/twice.mlir --input=4x1xf64=1 --input=i64=1 --shapes | FileCheck %s --check-prefix=TWICE
// RUN: not broadloom run %t/twice.mlir --input=4x1xf64=1 --input=i64=4611686018427387902 2>&1 | FileCheck %s --check-prefix=FAR

// Whether the sum of the extents is a word is checked without computing a number
// that is none. rt-13
// CHECK: 10
// WRONG: pad.mlir:3:8: 'tensor.pad': axis 0 of extent 3 has padding of 4611686018427387904 and 4611686018427387904, which does not fit 63 bits

//--- pad.mlir
func.func @main(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %p = tensor.pad %a low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %zero : f64
  } : tensor<?xf64> to tensor<?xf64>
  %r = tosa.concat %a, %p {axis = 0 : i32} : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

//--- twice.mlir
// TWICE: 4x6
// FAR: twice.mlir:{{.*}}: 'tosa.concat': the extent of axis 1 of result 0 does not fit 63 bits
func.func @main(%a: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %p = tensor.pad %a low[0, %n] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<?x?xf64> to tensor<?x?xf64>
  %r = tosa.concat %p, %p {axis = 1 : i32} : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
