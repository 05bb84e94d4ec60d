// RUN: broadloom run %s --input=2x2xui8=1,2,3,200 | FileCheck %s
// RUN: broadloom run %s --input=2x2xui8=1,2,3,200 --strategy=rfc | FileCheck %s
// RUN: broadloom shapes %s --input=2x2 | FileCheck %s --check-prefix=SHAPES
// RUN: broadloom shapes %s --function=signed --input=2xsi8 | FileCheck %s --check-prefix=SIGNED
// RUN: broadloom shapes %s --function=signed --input=2xi8 | FileCheck %s --check-prefix=SIGNED
// RUN: broadloom shapes %s --function=signed --input=2xui8 | FileCheck %s --check-prefix=SIGNED
// RUN: not broadloom shapes %s --input=2x2xsi8 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// RUN: broadloom run %s --function=moved --input=1x2x1xui16=7,65535 | FileCheck %s --check-prefix=MOVED

// Operations that move elements take unsigned ones, whose type stays.

// CHECK:      {{\[}}[  1   2   1]
// CHECK-NEXT:  [  3 200   3]
// CHECK-NEXT:  [  1   2   1]
// CHECK-NEXT:  [  3 200   3]]
// SHAPES: {{^}}4x3{{$}}
func.func @main(%a: tensor<?x?xui8>) -> tensor<?x?xui8> {
  %0 = tosa.identity %a : (tensor<?x?xui8>) -> tensor<?x?xui8>
  %1 = tosa.concat %0, %a {axis = 1 : i32} : (tensor<?x?xui8>, tensor<?x?xui8>) -> tensor<?x?xui8>
  %start = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.slice %1, %start, %size : (tensor<?x?xui8>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x?xui8>
  %times = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %3 = tosa.tile %2, %times : (tensor<?x?xui8>, !tosa.shape<2>) -> tensor<?x?xui8>
  return %3 : tensor<?x?xui8>
}

// MOVED: {{\[}}[65535     7     7]]
func.func @moved(%a: tensor<1x2x?xui16>) -> tensor<?x?xui16> {
  %i = "tosa.const"() {values = dense<[[1, 0, 0]]> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
  %j = "tosa.const"() {values = dense<[[1, 0]]> : tensor<1x2xi32>} : () -> tensor<1x2xi32>
  %0 = tosa.gather %a, %i : (tensor<1x2x?xui16>, tensor<1x3xi32>) -> tensor<1x3x?xui16>
  %1 = tosa.scatter %0, %j, %a : (tensor<1x3x?xui16>, tensor<1x2xi32>, tensor<1x2x?xui16>) -> tensor<1x3x?xui16>
  %s = tosa.const_shape {values = dense<[1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %1, %s : (tensor<1x3x?xui16>, !tosa.shape<2>) -> tensor<?x?xui16>
  return %2 : tensor<?x?xui16>
}

// As for a run: signed is signless, which takes both.
// SIGNED: {{^}}2{{$}}
// UNSIGNED: argument 'a' has element type i8 but the function takes ui8
func.func @signed(%a: tensor<?xi8>) -> tensor<?xi8> {
  return %a : tensor<?xi8>
}
