// rt-13 for words of fewer bits than an index: they wrap in shape queries as
// they do where the program runs.
//
// RUN: %broadloom run %s --function=wraps --input=3xf32=1,2,3 | FileCheck %s --check-prefix=RAN
// RUN: %broadloom shapes %s --function=wraps --input=3 | FileCheck %s --check-prefix=SHAPES
// RUN: %broadloom shapes %s --function=wraps --input=? | FileCheck %s --check-prefix=OPEN
// RUN: not %broadloom run %s --function=negative --input=3xf32=1,2,3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %broadloom shapes %s --function=negative --input=3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %broadloom run %s --function=unsigned --input=1xf32=5 | FileCheck %s --check-prefix=UNSIGNED
// RUN: %broadloom shapes %s --function=unsigned --input=1 | FileCheck %s --check-prefix=ONE

// RAN: [1.]{{$}}
// SHAPES: {{^}}1{{$}}
// OPEN: {{^\?$}}
func.func @wraps(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %largest = arith.constant 2147483647 : i32
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %word = arith.index_cast %n : index to i32
  %sum = arith.addi %word, %largest : i32
  %x = arith.index_cast %sum : i32 to index
  %isNegative = arith.cmpi slt, %x, %c0 : index
  %r = scf.if %isNegative -> tensor<?xf32> {
    %first = tensor.extract_slice %t[0] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %open = tensor.cast %first : tensor<1xf32> to tensor<?xf32>
    scf.yield %open : tensor<?xf32>
  } else {
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// NEGATIVE: words-of-32-bits.mlir:[[#@LINE+8]]:8: {{.*}}the slice takes -2147483646 elements of axis 0 from 0 on, but the extent is 3
func.func @negative(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %largest = arith.constant 2147483647 : i32
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %word = arith.index_cast %n : index to i32
  %sum = arith.addi %word, %largest : i32
  %x = arith.index_cast %sum : i32 to index
  %r = tensor.extract_slice %t[0] [%x] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// 255 + 255 + 1 in 8 bits is 255 without a sign, -1 with one.
// UNSIGNED: [5.]{{$}}
// ONE: {{^}}1{{$}}
func.func @unsigned(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c254 = arith.constant 254 : index
  %all = arith.constant -1 : i8
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %wide = arith.index_cast %n : index to i64
  %word = arith.trunci %wide : i64 to i8
  %two = arith.addi %all, %all : i8
  %sum = arith.addi %two, %word : i8
  %x = arith.index_castui %sum : i8 to index
  %y = arith.subi %x, %c254 : index
  %r = tensor.extract_slice %t[0] [%y] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
