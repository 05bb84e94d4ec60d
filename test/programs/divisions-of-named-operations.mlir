// RUN: not broadloom run %s --input=2xi32=1 --input=2xi32=0 2>&1 | FileCheck %s

// rt-2: the body of a named operation stands nowhere, the operation does.
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  // CHECK: divisions-of-named-operations.mlir:[[@LINE+1]]:8: 'arith.divsi': division by 0
  %1 = linalg.div ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%a : tensor<?xi32>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}
