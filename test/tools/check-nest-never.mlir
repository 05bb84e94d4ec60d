// Accesses of loops that no call satisfies once these run (mem-2): the row says so,
// and the reason has what would have to hold.
// RUN: broadloom check - <%s | FileCheck %s

// CHECK-LABEL: function before
// CHECK: 2 accesses are never all inside where the loops run
// CHECK-NEXT: because that needs argument 'n' <= 0, which no call has whose loops run and whose
// CHECK-NEXT: numbers do not wrap around; it is checked once in front of the loop at
func.func @before(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i - 1] : memref<?xf64>
    affine.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: function contradiction
// CHECK: 1 access is never inside where the loops run
// CHECK-NEXT: because that needs 0 <= argument 'n' and argument 'n' + 6 <= 0, which no call has whose
// CHECK-NEXT: loops run and whose numbers do not wrap around; it is
func.func @contradiction(%a: memref<4xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = affine.for %i = 0 to 10 iter_args(%t = %zero) -> f64 {
    %x = affine.load %a[%i + symbol(%n)] : memref<4xf64>
    %u = arith.addf %t, %x : f64
    affine.yield %u : f64
  }
  return %s : f64
}

// What some call satisfies is a condition as ever.
// CHECK-LABEL: function some
// CHECK: 1 access is inside, where the loops run: 10 <= axis 0 of argument 'a'
func.func @some(%a: memref<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = affine.for %i = 0 to 10 iter_args(%t = %zero) -> f64 {
    %x = affine.load %a[%i] : memref<?xf64>
    %u = arith.addf %t, %x : f64
    affine.yield %u : f64
  }
  return %s : f64
}
