// RUN: broadloom check %s | FileCheck %s
// RUN: broadloom run %s --input=2x3x2xi8=1 --input=1x2xf32=0 --function=unranked | FileCheck %s --check-prefix=VALUES
// RUN: not broadloom run %s --input=2x3x2xi8=1 --input=1x0xf32=0 --function=unranked 2>&1 | FileCheck %s --check-prefix=ZERO

// What remains of a number that is not negative is not negative either, whatever
// extent it is divided by: a padding of so many needs no guard, not even where
// the extent is one that a tensor of unknown rank has when the program runs.

// CHECK:     tosa.mod_shape
// CHECK:     run-time {{.*}}number 0 of input2 must be positive
// CHECK:     tosa.pad
// CHECK-NOT: run-time
// CHECK:     none refuted
// VALUES:      {{\[\[\[}}0 0]
// VALUES-NEXT:   [0 0]
// VALUES-NEXT:   [0 0]]
// VALUES:       {{\[\[}}1 1]
// VALUES-NEXT:   [1 1]
// VALUES-NEXT:   [1 1]]
// VALUES:       {{\[\[}}1 1]
// VALUES:       {{\[\[}}0 0]
// ZERO: :[[#@LINE+6]]:8: 'tosa.mod_shape': number 0 of input2 must be positive, but is 0
func.func @unranked(%a: tensor<*xi8>, %b: tensor<?x?xf32>) -> tensor<?x?x?xi8> {
  %x = tosa.abs %a : (tensor<*xi8>) -> tensor<?x?x?xi8>
  %five = tosa.const_shape {values = dense<[5]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zeros = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %n = tosa.dim %b {axis = 1 : i32} : (tensor<?x?xf32>) -> !tosa.shape<1>
  %r = tosa.mod_shape %five, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %m = tosa.dim %x {axis = 1 : i32} : (tensor<?x?x?xi8>) -> !tosa.shape<1>
  %one = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.add_shape %m, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %q = tosa.mod_shape %five, %s : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %p = tosa.concat_shape %q, %r, %zeros : (!tosa.shape<1>, !tosa.shape<1>, !tosa.shape<4>) -> !tosa.shape<6>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.pad %x, %p, %z : (tensor<?x?x?xi8>, !tosa.shape<6>, tensor<1xi8>) -> tensor<?x?x?xi8>
  return %y : tensor<?x?x?xi8>
}
