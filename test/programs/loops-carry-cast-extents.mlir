// RUN: broadloom run %s --input=3x1xi1=1 --input=3x65xf16=2 --input=65xf16=1 --input=i1=0 | FileCheck %s
// RUN: broadloom run %s --strategy=rfc --input=3x1xi1=1 --input=3x65xf16=2 --input=65xf16=1 --input=i1=0 | FileCheck %s
// RUN: not broadloom run %s --strategy=rfc --input=2x1xi1=1 --input=2x65xf16=2 --input=65xf16=1 --input=i1=0 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: broadloom check %s --strategy=rfc | FileCheck %s --check-prefix=CHECK-RFC

// What a loop carries has the extents of its type, whatever the cast before it
// was made from: nothing of the loop is left to be decided when it runs.

// CHECK-RFC:     tosa.while_loop
// CHECK-RFC-NOT: its shape function is evaluated
// CHECK-RFC:     none refuted
// CHECK: {{\[\[}}2. 2.
// WRONG: loops-carry-cast-extents.mlir:[[#@LINE+3]]:8: 'tensor.cast': result axis 0 has extent 3 but the operands give 2
func.func @main(%p: tensor<?x?xi1>, %a: tensor<?x?xf16>, %b: tensor<65xf16>, %c: tensor<i1>) -> tensor<3x65xf16> {
  %0 = tosa.select %p, %a, %b : (tensor<?x?xi1>, tensor<?x?xf16>, tensor<65xf16>) -> tensor<?x?xf16>
  %1 = tensor.cast %0 : tensor<?x?xf16> to tensor<3x65xf16>
  %2 = tosa.while_loop (%x = %1) : (tensor<3x65xf16>) -> tensor<3x65xf16> {
    tosa.yield %c : tensor<i1>
  } do {
  ^bb0(%x: tensor<3x65xf16>):
    %3 = tensor.cast %0 : tensor<?x?xf16> to tensor<3x65xf16>
    tosa.yield %3 : tensor<3x65xf16>
  }
  return %2 : tensor<3x65xf16>
}
