// RUN: broadloom run %s --function=fixed --input=2xi32=4,5 --input=1xi32=1 | FileCheck %s --check-prefix=FIXED
// RUN: broadloom run %s --function=shifted --input=2xi32=4,5 --input=1xi32=1 | FileCheck %s --check-prefix=FIXED
// RUN: broadloom run %s --function=shifted --input=4xi32=4,5,6,7 --input=4xi32=0 | FileCheck %s --check-prefix=AROUND
// RUN: not broadloom run %s --function=shifted --input=3xi32=4,5,6 --input=3xi32=0 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: broadloom run %s --function=even --input=3xi32=4,5,6 --input=3xi32=0 | FileCheck %s --check-prefix=EVEN
// RUN: not broadloom run %s --function=even --input=2xi32=4,5 --input=3xi32=0 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: broadloom run %s --function=same --input=3xi32=4,5,6 --input=3xi32=0 | FileCheck %s --check-prefix=SAME
// RUN: broadloom run %s --function=nothing --input=2xi32=4,5 --input=i64=1099511627776 --shapes | FileCheck %s --check-prefix=NOTHING
// RUN: broadloom check %s --all --function=always | FileCheck %s --check-prefix=ALWAYS

// ext-2, rt-11: which elements a map reads is looked at exactly, also where
// remainders are in it; what is only a bound refuses no call.

// FIXED: [5]
func.func @fixed(%a: tensor<2xi32>, %o: tensor<1xi32>) -> tensor<1xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i + 1) mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xi32>) outs(%o : tensor<1xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// AROUND: [5 6 7 4]
// REFUSED: 'linalg.generic': axis 0 of operand 0 has extent 3, but elements from 1 to 3 are needed
func.func @shifted(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i + 1) mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// EVEN: [4 6 4]
// ODD: 'linalg.generic': axis 0 of operand 0 has extent 2, but elements from 0 to 2 are needed
func.func @even(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i * 2) mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// SAME: [4 5 6]
func.func @same(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i floordiv 2) * 2 + i mod 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// A bound is enough for a proof.
// ALWAYS: proved
// ALWAYS: none at run time
func.func @always(%a: tensor<4xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ((i * 3) mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// Nothing is looked at where there is no round, however many there would be.
// NOTHING: 1099511627776x0
func.func @nothing(%a: tensor<?xi32>, %n: index) -> tensor<?x?xi32> {
  %none = arith.constant 0 : index
  %o = tensor.empty(%n, %none) : tensor<?x?xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> ((i floordiv 2) * 2 + i mod 2)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?x?xi32>) {
    ^bb0(%x: i32, %y: i32):
      linalg.yield %x : i32
  } -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
