// RUN: not broadloom run %s --input=7xi32=1 --input=1x1xi1=1 --input=1x8xf16=1 2>&1 | FileCheck %s
// RUN: not broadloom run %s --strategy=rfc --input=7xi32=1 --input=1x1xi1=1 --input=1x8xf16=1 2>&1 | FileCheck %s
// RUN: broadloom-opt --broadloom-compile --mlir-print-ir-after=loom-linalg-to-loops %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS

// The two branches are equal but for where they stand. The one that is taken has
// failed, whichever other operations of the function become loops.
// CHECK: equal-branches.mlir:[[#@LINE+16]]:{{.*}} 'tensor.cast': result axis 1 has extent 3 but the operands give 1 (operand shape 1x1; result shape 1x3)

// LOOPS-LABEL: func.func @loom_function_main
// LOOPS-COUNT-2: loom.require
// LOOPS-NOT: linalg.generic
func.func @main(%a: tensor<?xi32>, %b: tensor<1x?xi1>, %c: tensor<1x8xf16>) -> tensor<?xi32> {
  %moved = tosa.reverse %a {axis = 0 : i32} : (tensor<?xi32>) -> tensor<?xi32>
  %axis = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %extent = tensor.dim %c, %axis : tensor<1x8xf16>
  %differs = arith.cmpi ne, %extent, %eight : index
  cf.cond_br %differs, ^first, ^second
^first:
  %x = tensor.cast %b : tensor<1x?xi1> to tensor<1x3xi1>
  cf.br ^end(%x : tensor<1x3xi1>)
^second:
  %y = tensor.cast %b : tensor<1x?xi1> to tensor<1x3xi1>
  cf.br ^end(%y : tensor<1x3xi1>)
^end(%z: tensor<1x3xi1>):
  return %moved : tensor<?xi32>
}
