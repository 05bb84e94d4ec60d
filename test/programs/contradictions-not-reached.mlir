// RUN: broadloom run %s --function=computed --input=2x2xi64=1 --input=1x3x3xbf16=1 --input=i1=1 | FileCheck %s --check-prefix=COMPUTED
// RUN: not broadloom run %s --function=computed --input=2x2xi64=1 --input=1x3x3xbf16=1 --input=i1=0 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: broadloom run %s --function=reshaped --input=2xi32=4,5 | FileCheck %s --check-prefix=RESHAPED
// RUN: not broadloom run %s --function=reshaped --input=0xi32= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: broadloom run %s --function=gathered --input=2x1x1xf64=4,5 | FileCheck %s --check-prefix=GATHERED
// RUN: not broadloom run %s --function=gathered --input=1x5x1xf64=1 2>&1 | FileCheck %s --check-prefix=ONE

// ext-2, rt-8: what contradicts itself on a path fails where a call takes the
// path. Types say nothing of it, since they would contradict each other.

// RESHAPED: [4 5]
// EMPTY: contradictions-not-reached.mlir:[[# @LINE + 9]]:{{[0-9]+}}: 'tosa.reshape': the input 0 has 0 elements but the new shape scalar has 1
func.func @reshaped(%a: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %p = arith.cmpi sge, %n, %c1 : index
  cf.cond_br %p, ^some, ^none
^none:
  %s = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %r = tosa.reshape %a, %s : (tensor<?xi32>, !tosa.shape<0>) -> tensor<i32>
  cf.br ^some
^some:
  return %a : tensor<?xi32>
}

// GATHERED{LITERAL}: [[[4.]]
// ONE: contradictions-not-reached.mlir:[[# @LINE + 11]]:{{[0-9]+}}: 'tosa.gather'
func.func @gathered(%a: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x?xf64>
  %p = arith.cmpi ne, %n, %c1 : index
  %r = scf.if %p -> tensor<?x?x?xf64> {
    scf.yield %a : tensor<?x?x?xf64>
  } else {
    %i = "tosa.const"() {values = dense<[[3, 1], [3, 3]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %j = tensor.cast %i : tensor<2x2xi32> to tensor<?x?xi32>
    %g = tosa.gather %a, %j : (tensor<?x?x?xf64>, tensor<?x?xi32>) -> tensor<?x?x?xf64>
    scf.yield %g : tensor<?x?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}

// A reshape to a computed shape: its type has another number of elements.
// COMPUTED: [7]
// ELEMENTS: 'tosa.reshape': the input 2x2 has 4 elements but the new shape 1 has 1
func.func @computed(%a: tensor<2x2xi64>, %b: tensor<1x3x?xbf16>, %c: tensor<i1>) -> tensor<1xi64> {
  %z = "tosa.const"() {values = dense<7> : tensor<1xi64>} : () -> tensor<1xi64>
  %r = tosa.cond_if %c : tensor<i1> -> tensor<1xi64> {
    tosa.yield %z : tensor<1xi64>
  } else {
    %n = tosa.dim %b {axis = 2 : i32} : (tensor<1x3x?xbf16>) -> !tosa.shape<1>
    %three = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> !tosa.shape<1>
    %s = tosa.div_ceil_shape %n, %three : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
    %x = tosa.reshape %a, %s : (tensor<2x2xi64>, !tosa.shape<1>) -> tensor<1xi64>
    tosa.yield %x : tensor<1xi64>
  }
  return %r : tensor<1xi64>
}
