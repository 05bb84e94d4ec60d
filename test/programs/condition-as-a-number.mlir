// RUN: broadloom shapes %s --input=1x2 --input=2x2 --input=1x1 | FileCheck %s --check-prefix=DEFAULT
// RUN: broadloom shapes %s --input=1x0 --input=2x2 --input=1x1 | FileCheck %s --check-prefix=CASE
// RUN: broadloom run %s --input=1x0xf64= --input=2x2xf64=1 --input=1x1xf64=1 --shapes | FileCheck %s --check-prefix=CASE

// A condition on extents decides as a number, too, when shapes are told without
// running (abi-4).
// DEFAULT: 1x1
// CASE: 2x2
func.func @main(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1 : index
  %n = tensor.dim %a, %one : tensor<?x?xf64>
  %empty = arith.cmpi ult, %n, %one : index
  %k = arith.index_castui %empty : i1 to index
  %r = scf.index_switch %k -> tensor<?x?xf64>
  case 1 {
    scf.yield %b : tensor<?x?xf64>
  }
  default {
    scf.yield %c : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}
