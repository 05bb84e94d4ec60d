// tosa-shape-1, ext-5: the ends of 64 bits are numbers of a shape, but what is
// computed with them is told where it does not fit, also where the tensor is
// empty; and no axis is that long.
//
// RUN: not %broadloom run %s --function=product --input="2xi8=5 6" 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not %broadloom run %s --function=difference --input="2xi8=5 6" 2>&1 | FileCheck %s --check-prefix=DIFFERENCE
// RUN: not %broadloom run %s --function=empty --input=0xi8= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %broadloom run %s --function=padded --input=2xi8=1 2>&1 | FileCheck %s --check-prefix=PADDED
// RUN: not %broadloom shapes %s --function=largest --input=0x2 2>&1 | FileCheck %s --check-prefix=LARGEST
// RUN: not %broadloom shapes %s --function=joined --input=5x1 2>&1 | FileCheck %s --check-prefix=JOINED
// RUN: not %broadloom run %s --function=joined --input=0x1xi8= 2>&1 | FileCheck %s --check-prefix=JOINED
// RUN: %broadloom run %s --function=all --input="3xi8=5 6 7" | FileCheck %s --check-prefix=ALL
// RUN: %broadloom run %s --function=modulo --input=1xi8=1 | FileCheck %s --check-prefix=MODULO

// PRODUCT: :[[#@LINE+3]]:8: error: 'tosa.mul_shape': a number of its shape does not fit 63 bits
func.func @product(%a: tensor<?xi8>) -> tensor<?xi8> {
  %k = tosa.const_shape {values = dense<[9223372036854775807]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n = tosa.mul_shape %k, %k : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %r = tosa.tile %a, %n : (tensor<?xi8>, !tosa.shape<1>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// DIFFERENCE: :[[#@LINE+4]]:8: error: 'tosa.sub_shape': a number of its shape does not fit 63 bits
func.func @difference(%a: tensor<?xi8>) -> tensor<?xi8> {
  %k = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %l = tosa.const_shape {values = dense<[-9223372036854775808]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n = tosa.sub_shape %k, %l : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %r = tosa.tile %a, %n : (tensor<?xi8>, !tosa.shape<1>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// EMPTY: :[[#@LINE+3]]:8: error: 'tosa.reshape': a number of its shape does not fit 63 bits
func.func @empty(%a: tensor<?xi8>) -> tensor<?x?x?xi8> {
  %n = tosa.const_shape {values = dense<[9223372036854775807, 9223372036854775807, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reshape %a, %n : (tensor<?xi8>, !tosa.shape<3>) -> tensor<?x?x?xi8>
  return %r : tensor<?x?x?xi8>
}

// PADDED: :[[#@LINE+4]]:8: error: 'tosa.pad': the extent of axis 0 of result 0 does not fit 63 bits
func.func @padded(%a: tensor<?xi8>) -> tensor<?xi8> {
  %s = tosa.const_shape {values = dense<[9223372036854775807, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.pad %a, %s, %z : (tensor<?xi8>, !tosa.shape<2>, tensor<1xi8>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// LARGEST: :[[#@LINE+7]]:8: 'tosa.tile': the extent of axis 1 of result 0 does not fit 63 bits
func.func @largest(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %d = tosa.dim %a {axis = 1 : i32} : (tensor<?x?xi8>) -> !tosa.shape<1>
  %k = tosa.const_shape {values = dense<[9223372036854775807]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %m = tosa.max_shape %d, %k : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %o = tosa.const_shape {values = dense<[1]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.concat_shape %o, %m : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %r = tosa.tile %a, %s : (tensor<?x?xi8>, !tosa.shape<2>) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// 8 times 2^61: the factor of the extent is no word.
// JOINED: :[[#@LINE+4]]:8: 'tosa.concat': the extent of axis 1 of result 0 does not fit 63 bits
func.func @joined(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %s = tosa.const_shape {values = dense<[1, 2305843009213693952]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %a, %s : (tensor<?x?xi8>, !tosa.shape<2>) -> tensor<?x?xi8>
  %r = tosa.concat %0, %0, %0, %0, %0, %0, %0, %0 {axis = 1 : i32} : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// As an end that nothing is behind.
// ALL: [5 6 7]
func.func @all(%a: tensor<?xi8>) -> tensor<?xi8> {
  %d = tosa.dim %a {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %k = tosa.const_shape {values = dense<[9223372036854775807]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<[0]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %m = tosa.min_shape %d, %k : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %r = tosa.slice %a, %zero, %m : (tensor<?xi8>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -2 modulo 7, rounded down, is 5.
// MODULO: [1 1 1 1 1]
func.func @modulo(%a: tensor<?xi8>) -> tensor<?xi8> {
  %d = tosa.dim %a {axis = 0 : i32} : (tensor<?xi8>) -> !tosa.shape<1>
  %three = tosa.const_shape {values = dense<[3]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %seven = tosa.const_shape {values = dense<[7]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %below = tosa.sub_shape %d, %three : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %n = tosa.mod_shape %below, %seven : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %r = tosa.tile %a, %n : (tensor<?xi8>, !tosa.shape<1>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}
