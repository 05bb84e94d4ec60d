// RUN: broadloom check %s | FileCheck %s

// What is known of an index that depends on data is where it comes from.
// CHECK: memref.load
// CHECK-NEXT: run-time  never "index ? (an element of argument 'ix') is outside axis 0 of argument 'a',
// CHECK: memref.store
// CHECK-NEXT: run-time  never "index ? (n + 1 with n = an element of argument 'ix') is outside axis 0 of
func.func @gather(%a: memref<?xf32>, %ix: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n {
    %k = affine.load %ix[%i] : memref<?xi32>
    %j = arith.index_cast %k : i32 to index
    %x = memref.load %a[%j] : memref<?xf32>
    %l = arith.addi %j, %c1 : index
    memref.store %x, %a[%l] : memref<?xf32>
  }
  return
}
