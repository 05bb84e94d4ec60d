// RUN: not broadloom shapes %s --input=1x1xi1=0 --input=2xi1=0 2>&1 | FileCheck %s
// RUN: not broadloom run %s --input=1x1xi1=0 --input=2xi1=0 2>&1 | FileCheck %s
// RUN: broadloom run %s --input=1x1xi1=0 --input=1xi1=0 | FileCheck %s --check-prefix=FITS

// ext-2: extents that a question gives may contradict what a path declares, of
// which nobody knows whether it is taken. Its guard says so, and the types behind
// that stay apart.
// CHECK: 'tosa.tile': axis 1 of result 0 is declared 3 but is 6
// FITS: {{\[\[}}False]]
func.func @main(%a: tensor<?x1xi1>, %b: tensor<?xi1>) -> tensor<?x1xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %x = %a) : (index, tensor<?x1xi1>) -> (index, tensor<?x1xi1>) {
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %i, %x : index, tensor<?x1xi1>
  } do {
  ^bb0(%j: index, %y: tensor<?x1xi1>):
    %next = arith.addi %j, %c1 : index
    %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
    %three = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
    %n = tosa.dim %b {axis = 0 : i32} : (tensor<?xi1>) -> !tosa.shape<1>
    %times = tosa.mul_shape %n, %three : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %s = tosa.concat_shape %one, %times : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
    %t = tosa.tile %a, %s : (tensor<?x1xi1>, !tosa.shape<2>) -> tensor<1x3xi1>
    scf.yield %next, %y : index, tensor<?x1xi1>
  }
  return %r#1 : tensor<?x1xi1>
}
