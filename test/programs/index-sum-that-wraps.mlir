// RUN: broadloom run %s --function=element "--input=4xi8=1 2 3 4" --input=i64=1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not broadloom run %s --function=element "--input=4xi8=1 2 3 4" --input=i64=9223372036854775807 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: broadloom run %s --function=slice "--input=4xi8=1 2 3 4" --input=i64=1 --input=i64=2 | FileCheck %s --check-prefix=SLICE
// RUN: not broadloom run %s --function=slice "--input=4xi8=1 2 3 4" --input=i64=9223372036854775807 --input=i64=9223372036854775807 2>&1 | FileCheck %s --check-prefix=FAR

// rt-13: a range check of the program is about words. Where its sum wraps, the
// check passes, and the guard does not.

// ELEMENT: 3
// WRAPS: 'tensor.extract': index -9223372036854775808 is outside axis 0, which has extent 4
// SLICE: [2 3]
// FAR: 'tensor.extract_slice': the slice takes 9223372036854775807 elements of axis 0 from 9223372036854775807 on, but the extent is 4


func.func @element(%x: tensor<?xi8>, %m: i64) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi8>
  %h = arith.index_cast %m : i64 to index
  %a = arith.addi %h, %c1 : index
  %p = arith.cmpi sge, %h, %c0 : index
  %z = arith.constant 0 : i8
  %r = scf.if %p -> i8 {
    %q = arith.cmpi slt, %a, %n : index
    %w = scf.if %q -> i8 {
      %e = tensor.extract %x[%a] : tensor<?xi8>
      scf.yield %e : i8
    } else {
      scf.yield %z : i8
    }
    scf.yield %w : i8
  } else {
    scf.yield %z : i8
  }
  return %r : i8
}

func.func @slice(%x: tensor<?xi8>, %m: i64, %l: i64) -> tensor<?xi8> {
  %c0 = arith.constant 0 : index
  %h = arith.index_cast %m : i64 to index
  %k = arith.index_cast %l : i64 to index
  %n = tensor.dim %x, %c0 : tensor<?xi8>
  %p = arith.cmpi sge, %h, %c0 : index
  %r = arith.cmpi sge, %k, %c0 : index
  %a = arith.addi %h, %k : index
  %q = arith.cmpi sle, %a, %n : index
  %pr = arith.andi %p, %r : i1
  %prq = arith.andi %pr, %q : i1
  cf.assert %prq, "bad range"
  %s = tensor.extract_slice %x[%h] [%k] [1] : tensor<?xi8> to tensor<?xi8>
  return %s : tensor<?xi8>
}
