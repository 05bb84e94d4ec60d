// RUN: broadloom run %s --input=i64=-1 | FileCheck %s --check-prefix=FIRST
// RUN: broadloom run %s --input=i64=9223372036854775807 | FileCheck %s --check-prefix=SECOND
// RUN: broadloom run %s --input=i64=9223372036854775806 | FileCheck %s --check-prefix=THIRD
// RUN: broadloom run %s --input=i64=0 | FileCheck %s --check-prefix=FOURTH
// RUN: broadloom run %s --input=i64=1 | FileCheck %s --check-prefix=NONE
// RUN: broadloom run %s --input=i64=2 | FileCheck %s --check-prefix=NONE
// RUN: broadloom run %s --input=i64=3 | FileCheck %s --check-prefix=NONE
// RUN: broadloom run %s --input=i64=2147483647 | FileCheck %s --check-prefix=FIFTH
// RUN: broadloom run %s --input=i64=-2147483648 | FileCheck %s --check-prefix=SIXTH
// RUN: broadloom run %s --input=i64=-2147483649 | FileCheck %s --check-prefix=NONE
// RUN: broadloom run %s --input=i64=4294967296 | FileCheck %s --check-prefix=NONE
// RUN: broadloom run %s --input=i64=4294967295 | FileCheck %s --check-prefix=NONE
// RUN: not broadloom check %S/Inputs/switch-twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE

// rt-13: a switch chooses by all 64 bits, which upstream's lowering cuts to 32; and
// two numbers are cases like others, which upstream's verifier takes for given.
// FIRST: 10
// SECOND: 20
// THIRD: 30
// FOURTH: 40
// FIFTH: 60
// SIXTH: 70
// NONE: 50
// TWICE: has duplicate case value: 9223372036854775807
func.func @main(%k: index) -> index {
  %r = scf.index_switch %k -> index
  case -1 {
    %c = arith.constant 10 : index
    scf.yield %c : index
  }
  case 9223372036854775807 {
    %c = arith.constant 20 : index
    scf.yield %c : index
  }
  case 9223372036854775806 {
    %c = arith.constant 30 : index
    scf.yield %c : index
  }
  case 0 {
    %c = arith.constant 40 : index
    scf.yield %c : index
  }
  case 2147483647 {
    %c = arith.constant 60 : index
    scf.yield %c : index
  }
  case -2147483648 {
    %c = arith.constant 70 : index
    scf.yield %c : index
  }
  default {
    %c = arith.constant 50 : index
    scf.yield %c : index
  }
  return %r : index
}
