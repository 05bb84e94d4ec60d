// RUN: env BROADLOOM_VERIFY_PASSES=1 broadloom compile %s --emit=loom -o - | FileCheck %s

// A loop is looked at until nothing changes. What a number of the slice's
// result was called at first is no source for the slice's own guard.
// CHECK-LABEL: func.func @main
// CHECK: loom.require %{{.*}}, "tosa.slice", "the slice from 0 of size {0} along axis 0 leaves the input, which has {1}
// CHECK: scf.for
// CHECK: tosa.slice
// CHECK-NOT: tensor.dim
// CHECK-NOT: loom.require
// CHECK: scf.yield
func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %0 = scf.for %i = %zero to %two step %one iter_args(%v = %y) -> (tensor<?xf64>) {
    %n = tosa.dim %x {axis = 0 : i32} : (tensor<?xf64>) -> !tosa.shape<1>
    %power = tosa.exp2_shape %n : (!tosa.shape<1>) -> !tosa.shape<1>
    %size = tosa.log2_ceil_shape %power : (!tosa.shape<1>) -> !tosa.shape<1>
    %start = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
    %s = tosa.slice %x, %start, %size : (tensor<?xf64>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xf64>
    scf.yield %v : tensor<?xf64>
  }
  return %0 : tensor<?xf64>
}
