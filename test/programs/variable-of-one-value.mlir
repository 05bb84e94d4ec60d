// A variable whose first elements are all equal takes memory in a call alone.
// RUN: broadloom run %s --function=main --input="2xf32=0 0" | FileCheck %s --check-prefix=MAIN
// RUN: broadloom check %s | FileCheck %s --check-prefix=CHECK
// RUN: broadloom inspect %s | FileCheck %s --check-prefix=INSPECT
// RUN: broadloom compile %s -o %t.so
// RUN: not broadloom run %s --function=huge 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: broadloom run %s --function=small | FileCheck %s --check-prefix=SMALL
// RUN: broadloom run %s --function=truths | FileCheck %s --check-prefix=TRUTHS
// MAIN: [1. 1.]
// CHECK: none refuted
// INSPECT: function huge
// HUGE: error: there is no memory for the variables
// SMALL: [2.5 2.5 2.5]
// TRUTHS: [ True  True]
// TRUTHS-NEXT: [7 7 7]
module {
  tosa.variable @huge = dense<1.0> : tensor<100000000000000xf32>
  tosa.variable @small = dense<2.5> : tensor<3xf32>
  tosa.variable @truths = dense<true> : tensor<2xi1>
  tosa.variable @numbers = dense<7> : tensor<3xi48>
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %r = tosa.exp %a : (tensor<2xf32>) -> tensor<2xf32>
    return %r : tensor<2xf32>
  }
  func.func @huge() -> tensor<100000000000000xf32> {
    %r = tosa.variable_read @huge : tensor<100000000000000xf32>
    return %r : tensor<100000000000000xf32>
  }
  func.func @small() -> tensor<3xf32> {
    %r = tosa.variable_read @small : tensor<3xf32>
    return %r : tensor<3xf32>
  }
  func.func @truths() -> (tensor<2xi1>, tensor<3xi48>) {
    %r = tosa.variable_read @truths : tensor<2xi1>
    %s = tosa.variable_read @numbers : tensor<3xi48>
    return %r, %s : tensor<2xi1>, tensor<3xi48>
  }
}
