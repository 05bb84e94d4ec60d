// Of 2^50 rows without columns nothing is computed, and it ends at once.
// RUN: %broadloom run %s --function=padded --input=0x0xi8= --shapes | FileCheck %s
// RUN: %broadloom run %s --function=tiled --input=1x0xi8= --shapes | FileCheck %s
// CHECK: 1125899906842624x0
func.func @padded(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %s = tosa.const_shape {values = dense<[0, 1125899906842624, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %p = tosa.pad %a, %s, %z : (tensor<?x?xi8>, !tosa.shape<4>, tensor<1xi8>) -> tensor<?x?xi8>
  return %p : tensor<?x?xi8>
}
func.func @tiled(%a: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %s = tosa.const_shape {values = dense<[1125899906842624, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %p = tosa.tile %a, %s : (tensor<?x?xi8>, !tosa.shape<2>) -> tensor<?x?xi8>
  return %p : tensor<?x?xi8>
}
