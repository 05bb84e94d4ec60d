// RUN: split-file %s %t
// RUN: broadloom check %t/program.mlir --shape-library=%t/library.mlir | FileCheck %s
// RUN: broadloom run %t/program.mlir --shape-library=%t/library.mlir --input=2x5xf32=1 --shapes | FileCheck %s --check-prefix=FITS
// RUN: not broadloom run %t/program.mlir --shape-library=%t/library.mlir --input=4x5xf32=1 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not broadloom shapes %t/program.mlir --shape-library=%t/library.mlir --input=4x5 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not broadloom run %t/program.mlir --shape-library=%t/library.mlir --input=2x6xf32=1 2>&1 | FileCheck %s --check-prefix=OPERAND

// What the types of a user's operation say is checked where nobody reads its
// result, and where its reference does not read an operand, as of any operation
// (rt-4).
// CHECK:     run-time axis 0: the extent that the operands give, s2, is the result's 4
// CHECK:     run-time axis 1: the extent that the operands give, s1, is the result's 5
// FITS:      {{^}}2x5
// RESULT:    program.mlir:2:8: 'test.twice': result axis 0 has extent 4 but the operands give 8
// OPERAND:   program.mlir:3:8: 'test.second': result axis 1 has extent 5 but the operands give 6

//--- library.mlir
irdl.dialect @test {
  irdl.operation @twice {
    %a = irdl.any
    %r = irdl.any
    irdl.operands(a: %a)
    irdl.results(result: %r)
  }
  irdl.operation @second {
    %a = irdl.any
    %b = irdl.any
    irdl.operands(a: %a, b: %b)
    irdl.results(result: %b)
  }
}
func.func @twice(%a: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "test.twice"} {
  %r = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @second(%a: tensor<?x5xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {loom.implements = "test.second"} {
  return %b : tensor<?x?xf32>
}

//--- program.mlir
func.func @main(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "test.twice"(%a) : (tensor<?x?xf32>) -> tensor<4x?xf32>
  %1 = "test.second"(%a, %a) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
