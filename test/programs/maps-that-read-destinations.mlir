// RUN: broadloom run %s --function=open "--input=4xi32=1 2 3 4" "--input=4xi32=10 20 30 40" | FileCheck %s
// RUN: broadloom run %s --function=open "--input=4xi32=1 2 3 4" "--input=4xi32=10 20 30 40" --strategy=rfc | FileCheck %s
// RUN: broadloom run %s --function=closed "--input=4xi32=1 2 3 4" "--input=4xi32=10 20 30 40" | FileCheck %s
// RUN: broadloom run %s --function=carried "--input=4xi32=1 2 3 4" "--input=4xi32=10 20 30 40" | FileCheck %s --check-prefix=CARRIED
// RUN: not broadloom run %s --function=open "--input=3xi32=1 2 3" "--input=4xi32=10 20 30 40" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: broadloom check %s --function=open | FileCheck %s --check-prefix=CHECK-OPEN

// The body of linalg.map has the element of the destination, which is read
// where it is used.

// CHECK: [11 22 33 44]
// CHECK-NEXT: [10 20 30 40]
// WRONG: 'linalg.map'
// CHECK-OPEN: linalg.map
func.func @open(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %r = linalg.map ins(%x : tensor<?xi32>) outs(%y : tensor<?xi32>) (%a: i32, %o: i32) {
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  }
  return %r, %y : tensor<?xi32>, tensor<?xi32>
}
func.func @closed(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = linalg.map ins(%x : tensor<4xi32>) outs(%y : tensor<4xi32>) (%a: i32, %o: i32) {
    %s = arith.addi %a, %o : i32
    linalg.yield %s : i32
  }
  return %r, %y : tensor<4xi32>, tensor<4xi32>
}

// CARRIED: [13 26 39 52]
func.func @carried(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %y) -> tensor<?xi32> {
    %m = linalg.map ins(%x : tensor<?xi32>) outs(%t : tensor<?xi32>) (%a: i32, %o: i32) {
      %s = arith.addi %a, %o : i32
      linalg.yield %s : i32
    }
    scf.yield %m : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
