// ext-2: What the types of one operation say is an error wherever the operation
// stands; `check` counts it as refuted.

// RUN: not broadloom run %s --input=3xf32=1 2>&1 | FileCheck %s
// RUN: not broadloom check %s 2>&1 | FileCheck %s --check-prefix=ROWS
// CHECK-COUNT-1: error: 'tosa.add' op operands are not broadcast-compatible along axis 0: extents 2 and 3 (operand shapes 2x3 and 3x3)
// CHECK-NOT: error
// ROWS-COUNT-1: error: 'tosa.add' op operands are not broadcast-compatible along axis 0
// ROWS-NOT: error
// ROWS: function never
// ROWS: refuted axis 0: extents 2 {{.*}} and 3
// ROWS: in all, {{.*}} 1 refuted

func.func private @never(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
