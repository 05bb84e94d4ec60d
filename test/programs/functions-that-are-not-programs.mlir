// Text can say any words for a shape function (abi-3): they are refused where
// they could read or write outside of what they are given.
// RUN: not broadloom run %s --input=2x2xi32=1 2>&1 | FileCheck %s
// RUN: not broadloom shapes %s --input=2x2xi32 2>&1 | FileCheck %s
// CHECK: functions-that-are-not-programs.mlir:[[#@LINE+3]]:3: error: 'loom.require_function' op runs a program that cannot be evaluated: the instruction at word 2 does not lie within the 3 words
func.func @main(%a: tensor<?x?xi32>) -> i32 {
  %s = loom.shape_of %a : tensor<?x?xi32> -> <[?, ?]>
  loom.require_function "my.op"(%s) runs [1, 0, 7] with [] : !loom.shape<[?, ?]>
  %c = arith.constant 1 : i32
  return %c : i32
}
