// RUN: split-file %s %t
// RUN: broadloom run %t/static.mlir --input=0x2xf32= --shapes | FileCheck %s
// RUN: broadloom run %t/dynamic.mlir --input=0x2xf32= --shapes | FileCheck %s
// RUN: broadloom run %t/static.mlir --input=0x2xf32= --shapes --strategy=rfc | FileCheck %s
// RUN: broadloom shapes %t/static.mlir | FileCheck %s
// RUN: not broadloom run %t/wrong.mlir --input=0x2xf32= 2>&1 | FileCheck %s --check-prefix=WRONG

// bcast-7: what runs with '?' runs with the extent 0 in its place.
// CHECK: 2x0
// CHECK-NEXT: 0x2
// CHECK-NEXT: 1x2
// CHECK-NEXT: 0x1
// CHECK-NEXT: 0x2
// CHECK-NEXT: 3x2
// CHECK-NEXT: 0x4
// WRONG: wrong.mlir:2:8: error: 'tosa.concat'

//--- static.mlir
func.func @main(%a: tensor<0x2xf32>) -> (tensor<2x0xf32>, tensor<0x2xf32>, tensor<1x2xf32>, tensor<0x1xf32>, tensor<0x2xf32>, tensor<3x2xf32>, tensor<0x4xf32>) {
  %t = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<0x2xf32>) -> tensor<2x0xf32>
  %c = tosa.concat %a, %a {axis = 0 : i32} : (tensor<0x2xf32>, tensor<0x2xf32>) -> tensor<0x2xf32>
  %r = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<0x2xf32>) -> tensor<1x2xf32>
  %q = tosa.reduce_max %a {axis = 1 : i32} : (tensor<0x2xf32>) -> tensor<0x1xf32>
  %v = tosa.reverse %a {axis = 0 : i32} : (tensor<0x2xf32>) -> tensor<0x2xf32>
  %p = tosa.const_shape {values = dense<[1, 2, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = tosa.pad %a, %p, %z : (tensor<0x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x2xf32>
  %m = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x = tosa.tile %a, %m : (tensor<0x2xf32>, !tosa.shape<2>) -> tensor<0x4xf32>
  return %t, %c, %r, %q, %v, %w, %x : tensor<2x0xf32>, tensor<0x2xf32>, tensor<1x2xf32>, tensor<0x1xf32>, tensor<0x2xf32>, tensor<3x2xf32>, tensor<0x4xf32>
}
//--- dynamic.mlir
func.func @main(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %t = tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = tosa.concat %a, %a {axis = 0 : i32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %v = tosa.reverse %a {axis = 0 : i32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = tosa.const_shape {values = dense<[1, 2, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = tosa.pad %a, %p, %z : (tensor<?x?xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x?xf32>
  %m = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x = tosa.tile %a, %m : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  return %t, %c, %r, %q, %v, %w, %x : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
//--- wrong.mlir
func.func @main(%a: tensor<0x2xf32>) -> tensor<0x3xf32> {
  %c = tosa.concat %a, %a {axis = 0 : i32} : (tensor<0x2xf32>, tensor<0x2xf32>) -> tensor<0x3xf32>
  return %c : tensor<0x3xf32>
}
