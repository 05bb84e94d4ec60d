// RUN: split-file %s %t
// RUN: broadloom run %t/pad.mlir --input=3xf64=1 --input=i64=2 --shapes | FileCheck %s
// RUN: not broadloom run %t/pad.mlir --input=3xf64=1 --input=i64=4611686018427387904 2>&1 | FileCheck %s --check-prefix=WRONG

// Whether the sum of the extents is a word is asked without computing a number
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
