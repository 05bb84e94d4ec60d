// RUN: broadloom run %s --input="3xi32=1 2 3" --input="2xi32=5 6" | FileCheck %s
// RUN: broadloom compile %s --emit=loom | FileCheck %s --check-prefix=LOOM
// RUN: broadloom compile %s --emit=linalg | FileCheck %s --check-prefix=LOOM

// What an operation on tensors computes of one value twice has the extents of
// that value, and is no constant: no constant has open extents.
// LOOM-NOT: dense<0> : tensor<?xi32>
// LOOM: linalg.generic
// CHECK: [1 2 3]
// CHECK-NEXT: [0 0]
// CHECK-NEXT: [1 2 3]
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %dead = arith.subi %b, %b : tensor<?xi32>
  %zero = arith.xori %b, %b : tensor<?xi32>
  %same = arith.andi %a, %a : tensor<?xi32>
  return %a, %zero, %same : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
