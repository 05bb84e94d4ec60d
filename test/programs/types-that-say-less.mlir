// What the types leave open is there when the program runs, also of values that
// nothing reads, and what they declare is checked.
// RUN: broadloom run %s --function=folded --input="3x2x5x1xi32=1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9" | FileCheck %s --check-prefix=FOLDED
// RUN: broadloom run %s --function=folded --strategy=rfc --input="3x2x5x1xi32=1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9 1 30 4 0 -9" | FileCheck %s --check-prefix=FOLDED
// RUN: not broadloom run %s --function=folded --input=2x2x5x1xi32=1 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: broadloom run %s --function=passed --input="1x1x1x2xi1=1 0" --input=1x1x1x2xi1=0 --input=1x1x1x2xi1=0 | FileCheck %s --check-prefix=PASSED
// RUN: broadloom run %s --function=passed --strategy=rfc --input="1x1x1x2xi1=1 0" --input=1x1x1x2xi1=0 --input=1x1x1x2xi1=0 | FileCheck %s --check-prefix=PASSED
// RUN: broadloom run %s --function=unread --input="1x1x7xi1=1 0 0 1 1 0 0" --input=7x64x7xf32=1 --input="7x7xi32=0 1 2 3 4 5 6 6 5 4 3 2 1 0 0 1 2 3 4 5 6 6 5 4 3 2 1 0 0 1 2 3 4 5 6 6 5 4 3 2 1 0 0 1 2 3 4 5 6" --input=7x7x64xf32=1 | FileCheck %s --check-prefix=UNREAD
// RUN: broadloom run %s --function=one --input="1x2xf32=1 2" --input=1x1xf32=1 | FileCheck %s --check-prefix=ONE
// RUN: broadloom run %s --function=one --strategy=rfc --input="1x2xf32=1 2" --input=1x1xf32=1 | FileCheck %s --check-prefix=ONE
// RUN: not broadloom run %s --function=one --input="2x2xf32=1" --input=1x1xf32=1 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not broadloom run %s --function=one --strategy=rfc --input="2x2xf32=1" --input=1x1xf32=1 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not broadloom run %s --function=one --input="0x2xf32=" --input=1x1xf32=1 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not broadloom run %s --function=one --strategy=rfc --input="0x2xf32=" --input=1x1xf32=1 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not broadloom run %s --function=tiles --input=2x2xf32=1 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: broadloom run %s --function=tiles --input="0x2xf32=" --shapes | FileCheck %s --check-prefix=NO-TILES

// An extent of a reshape that is what is left: 2x2x4 elements twice, in rows of
// 8. Of 30 4 0 -9, clamped to 8 4 0 -8, the zeros in front are 28 29 32 0, and
// of the same unclamped 27 29 32 0: 30 alone has no more zeros than it counts.
// FOLDED: {{\[}}[ True  True  True  True  True  True  True  True]
// FOLDED:  [False  True  True  True False  True  True  True]
// FOLDED:  [ True  True  True  True  True  True  True  True]
// FOLDED:  [False  True  True  True False  True  True  True]]
// OUTSIDE: 'tosa.slice'
func.func @folded(%a: tensor<?x?x?x?xi32>) -> tensor<?x?xi1> {
  %zero = arith.constant 0 : index
  %thousand = arith.constant 1000 : index
  %m = tosa.reduce_max %a {axis = 3 : i32} : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %n = tensor.dim %m, %zero : tensor<?x?x?x?xi32>
  %k = arith.cmpi ne, %n, %thousand : index
  %b = scf.if %k -> (tensor<?x?x?x?xi32>) {
    %x = tensor.cast %m : tensor<?x?x?x?xi32> to tensor<?x?x?x?xi32>
    scf.yield %x : tensor<?x?x?x?xi32>
  } else {
    %y = tensor.cast %m : tensor<?x?x?x?xi32> to tensor<?x?x?x?xi32>
    scf.yield %y : tensor<?x?x?x?xi32>
  }
  %from = tosa.const_shape {values = dense<[1, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %sizes = tosa.const_shape {values = dense<[2, 2, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.slice %b, %from, %sizes : (tensor<?x?x?x?xi32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<?x?x?x?xi32>
  %c = tosa.clamp %s {min_val = -8 : i32, max_val = 8 : i32} : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %t = tosa.concat %c, %s {axis = 1 : i32} : (tensor<?x?x?x?xi32>, tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %z = tosa.clz %t : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %g = tosa.greater %z, %t : (tensor<?x?x?x?xi32>, tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi1>
  %list = tosa.const_shape {values = dense<[-1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %g, %list : (tensor<?x?x?x?xi1>, !tosa.shape<2>) -> tensor<?x?xi1>
  %one = arith.constant 1 : index
  %l = scf.for %i = %zero to %zero step %one iter_args(%x = %r) -> (tensor<?x?xi1>) {
    %y = tensor.cast %g : tensor<?x?x?x?xi1> to tensor<*xi1>
    %w = tensor.cast %y : tensor<*xi1> to tensor<?x?xi1>
    scf.yield %w : tensor<?x?xi1>
  }
  return %l : tensor<?x?xi1>
}

// A callee that reads nothing of what it is given.
// PASSED: [ True False]
func.func private @second(%a: tensor<?x?x?x?xi1>, %b: tensor<?x?x?x?xi1>) -> tensor<?x?x?x?xi1> {
  return %b : tensor<?x?x?x?xi1>
}
func.func @passed(%a: tensor<?x?x?x?xi1>, %b: tensor<?x?x?x?xi1>, %c: tensor<?x?x?x?xi1>) -> tensor<?x?x?x?xi1> {
  %times = tosa.const_shape {values = dense<[1, 1, 1, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %t = tosa.tile %b, %times : (tensor<?x?x?x?xi1>, !tosa.shape<4>) -> tensor<?x?x?x?xi1>
  %n = tosa.logical_not %c : (tensor<?x?x?x?xi1>) -> tensor<?x?x?x?xi1>
  %o = tosa.logical_or %n, %c : (tensor<?x?x?x?xi1>, tensor<?x?x?x?xi1>) -> tensor<?x?x?x?xi1>
  %any = tosa.reduce_any %o {axis = 0 : i32} : (tensor<?x?x?x?xi1>) -> tensor<1x?x?x?xi1>
  %r = func.call @second(%any, %a) : (tensor<1x?x?x?xi1>, tensor<?x?x?x?xi1>) -> tensor<?x?x?x?xi1>
  return %r : tensor<?x?x?x?xi1>
}

// Results that nothing reads, and types of a matmul that say other extents than
// its operands'.
// UNREAD: [ True False False  True  True False False]
func.func @unread(%p: tensor<?x?x7xi1>, %b: tensor<?x?x7xf32>, %i: tensor<7x7xi32>, %a: tensor<?x7x64xf32>) -> tensor<?x?x7xi1> {
  %list = tosa.const_shape {values = dense<[7, 7, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v = tosa.reshape %a, %list : (tensor<?x7x64xf32>, !tosa.shape<3>) -> tensor<7x?x64xf32>
  %s = tosa.scatter %a, %i, %v : (tensor<?x7x64xf32>, tensor<7x7xi32>, tensor<7x?x64xf32>) -> tensor<?x7x64xf32>
  %m = tosa.minimum %a, %s : (tensor<?x7x64xf32>, tensor<?x7x64xf32>) -> tensor<?x7x?xf32>
  %d = tosa.add %v, %m : (tensor<7x?x64xf32>, tensor<?x7x?xf32>) -> tensor<7x7x?xf32>
  %z = "tosa.const"() {values = dense<[0.0]> : tensor<1xf32>} : () -> tensor<1xf32>
  %x = tosa.matmul %d, %b, %z, %z : (tensor<7x7x?xf32>, tensor<?x?x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %p : tensor<?x?x7xi1>
}

// A result that declares 1 where an operand is open.
// ONE: {{\[}}[2. 3.]]
// TWO: 'tosa.add': result axis 0 has extent 1 but the operands give 2
// NOTHING: 'tosa.add': result axis 0 has extent 1 but the operands give 0
func.func @one(%a: tensor<?x2xf32>, %b: tensor<1x1xf32>) -> tensor<1x2xf32> {
  %0 = tosa.add %a, %b : (tensor<?x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// More elements than a word counts bytes; of none there are none.
// TILES: a tensor of shape 8589934592x8589934592 is larger than any memory
// NO-TILES: 0x8589934592
func.func @tiles(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = tosa.const_shape {values = dense<[4294967296, 4294967296]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.tile %a, %p : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
