// RUN: broadloom run %s --function=apply "--input=3xi64=1 2 5" | FileCheck %s --check-prefix=APPLY
// RUN: not broadloom run %s --function=apply "--input=3xi64=1 2 0" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not broadloom run %s --function=apply "--input=3xi64=1 2 -1" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: broadloom run %s --function=least "--input=3xi64=1 2 5" | FileCheck %s --check-prefix=LEAST
// RUN: not broadloom run %s --function=least "--input=3xi64=1 2 0" 2>&1 | FileCheck %s --check-prefix=BAD

// rt-11: an affine map divides by at least 1, for each element of a map as well.
// APPLY: [5 2 1]
// LEAST: [0 1 0]
// BAD: affine-maps-in-maps.mlir:{{[0-9]+}}:8: 'loom.map': an element is divided by 0, or the least integer by -1, or by less than 1 in an affine map
func.func @apply(%s: tensor<?xi64>) -> tensor<?xi64> {
  %r = loom.map(%x = %s : tensor<?xi64>) -> tensor<?xi64> {
    %five = arith.constant 5 : index
    %by = arith.index_cast %x : i64 to index
    %q = affine.apply affine_map<(i)[s] -> (i floordiv s)>(%five)[%by]
    %y = arith.index_cast %q : index to i64
    loom.yield %y : i64
  }
  return %r : tensor<?xi64>
}

func.func @least(%s: tensor<?xi64>) -> tensor<?xi64> {
  %r = loom.map(%x = %s : tensor<?xi64>) -> tensor<?xi64> {
    %five = arith.constant 5 : index
    %by = arith.index_cast %x : i64 to index
    %q = affine.min affine_map<(i)[s] -> (i mod s, 3)>(%five)[%by]
    %y = arith.index_cast %q : index to i64
    loom.yield %y : i64
  }
  return %r : tensor<?xi64>
}
