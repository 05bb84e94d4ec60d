// What an image would have with pads that sum up beyond 64 bits is no number: in
// no form is it taken for one. Pads that fit alone may be too many for an image.
// RUN: split-file %s %t
// RUN: not broadloom run %t/both.mlir --input=1x4x4x3xf32=0 --input=1x1x3x4xf32=0 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not broadloom shapes %t/both.mlir --input=1x4x4x3xf32=0 --input=1x1x3x4xf32=0 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not broadloom run %t/image.mlir --input=1x4x4x3xf32=0 --input=1x1x3x4xf32=0 2>&1 | FileCheck %s --check-prefix=IMAGE
// RUN: not broadloom shapes %t/image.mlir --input=1x4x4x3xf32=0 --input=1x1x3x4xf32=0 2>&1 | FileCheck %s --check-prefix=IMAGE
// BOTH: both.mlir:2:8: error: 'loom.contract' op has pads of 4611686018427387904 and 4611686018427387904 along axis 1
// IMAGE: image.mlir:2:8: 'loom.contract': the kernel of 1 covers 1 along axis 1, but the padded image has (beyond 64 bits)

//--- both.mlir
func.func @main(%a: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %r = loom.contract(%a, %k) window {dilations = array<i64: 1, 1>, pads = array<i64: 4611686018427387904, 4611686018427387904, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x?x?x?xf32>
}
//--- image.mlir
func.func @main(%a: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %r = loom.contract(%a, %k) window {dilations = array<i64: 1, 1>, pads = array<i64: 4611686018427387904, 4611686018427387903, 0, 0>, strides = array<i64: 1, 1>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  ^bb0(%s: f32):
    loom.yield %s : f32
  }
  return %r : tensor<?x?x?x?xf32>
}
