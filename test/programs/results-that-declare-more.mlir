// RUN: split-file %s %t
// RUN: broadloom run %t/table.mlir --input="1x2xi8=1 2" | FileCheck %s --check-prefix=TABLE
// RUN: not broadloom run %t/table.mlir --input="2x2xi8=1" 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: broadloom run %t/identity.mlir --input="2xf32=1 2" | FileCheck %s --check-prefix=RANK
// RUN: not broadloom run %t/identity.mlir --input="1x2xf32=1 2" 2>&1 | FileCheck %s --check-prefix=HIGH

// What a result declares beyond its operands is a guard, of extents and of the
// rank. rt-4
// TABLE: {{\[}}[7 7]]
// LONG: table.mlir:3:8: 'tosa.table': axis 0 of result 0 is declared 1 but is 2
// RANK: [1. 2.]
// HIGH: identity.mlir:2:8: 'tosa.identity': result has rank 1 but the operands give rank 2

//--- table.mlir
func.func @main(%a: tensor<?x?xi8>) -> tensor<1x?xi8> {
  %t = "tosa.const"() {values = dense<7> : tensor<256xi8>} : () -> tensor<256xi8>
  %0 = tosa.table %a, %t : (tensor<?x?xi8>, tensor<256xi8>) -> tensor<1x?xi8>
  return %0 : tensor<1x?xi8>
}
//--- identity.mlir
func.func @main(%a: tensor<*xf32>) -> tensor<?xf32> {
  %0 = tosa.identity %a : (tensor<*xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
