// RUN: broadloom run %s --input=1x1xi16=1 --input=6x5xi16=2 --shapes | FileCheck %s --check-prefix=RUNS
// RUN: not broadloom run %s --input=6x3xi16=1 --input=1x1xi16=2 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: broadloom check %s | FileCheck %s

// The extents of what two operands broadcast to, one of unknown rank, are read
// where a shape is computed from them behind an operation that changes them.

// CHECK:     tosa.tile
// CHECK:     run-time {{.*}}the multiple along axis 0 must be at
// CHECK-NOT: its shape function is evaluated when the program runs
// CHECK:     none refuted
// RUNS: 77x9
// FAILS: numbers-of-a-broadcast-of-unknown-rank.mlir:[[#@LINE+12]]:8: 'tosa.tile': the multiple along axis 0 must be at least 1, but is 0
func.func @main(%a: tensor<*xi16>, %b: tensor<?x?xi16>) -> tensor<?x?xi16> {
  %0 = tosa.add %a, %b : (tensor<*xi16>, tensor<?x?xi16>) -> tensor<*xi16>
  %1 = tensor.cast %0 : tensor<*xi16> to tensor<?x?xi16>
  %p = tosa.const_shape {values = dense<[5, 0, 2, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %2 = tosa.pad %1, %p, %z : (tensor<?x?xi16>, !tosa.shape<4>, tensor<1xi16>) -> tensor<?x?xi16>
  %7 = tosa.const_shape {values = dense<[7]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %d = tosa.dim %2 {axis = 1 : i32} : (tensor<?x?xi16>) -> !tosa.shape<1>
  %m = tosa.mod_shape %7, %d : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %ms = tosa.concat_shape %m, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %3 = tosa.tile %2, %ms : (tensor<?x?xi16>, !tosa.shape<2>) -> tensor<?x?xi16>
  return %3 : tensor<?x?xi16>
}
