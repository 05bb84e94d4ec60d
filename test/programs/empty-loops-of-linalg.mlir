// RUN: broadloom run %s --input=3xf32=1 --input=0xf32= --input=2xf32=5 | FileCheck %s
// RUN: broadloom check %s | FileCheck %s --check-prefix=CHECK-ROWS

// An operation of linalg with a static extent of 0 is as valid as with an open
// one (ext-3, bcast-7): no product is added to what is there.

// CHECK: [5. 5.]
// CHECK-ROWS: none refuted
func.func @main(%x: tensor<3xf32>, %kernel: tensor<0xf32>, %into: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.conv_1d ins(%x, %kernel : tensor<3xf32>, tensor<0xf32>) outs(%into : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
