// RUN: broadloom-opt %s --loom-lower-boundaries --split-input-file | FileCheck %s

// The source is copied, and each end of each axis is a part: along the first
// one whole rows, then what is left of the rows in between.
// CHECK-LABEL: func.func @parts
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<7x9xf32>
// CHECK: %[[TOP:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x9xf32>)
// CHECK: %[[A:.*]] = tensor.insert_slice %[[TOP]] into %[[ALL]][0, 0] [1, 9] [1, 1]
// CHECK: %[[LEFT:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<4x3xf32>)
// CHECK: %[[B:.*]] = tensor.insert_slice %[[LEFT]] into %[[A]][1, 0] [4, 3] [1, 1]
// CHECK: %[[C:.*]] = tensor.insert_slice %arg0 into %[[B]][1, 3] [4, 6] [1, 1]
// CHECK: %[[BOTTOM:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<2x9xf32>)
// CHECK: %[[D:.*]] = tensor.insert_slice %[[BOTTOM]] into %[[C]][5, 0] [2, 9] [1, 1]
// CHECK: return %[[D]]
func.func @parts(%x: tensor<4x6xf32>) -> tensor<7x9xf32> {
  %p = loom.boundary reflect %x low[1, 3] high[2, 0] : tensor<4x6xf32> to tensor<7x9xf32>
  return %p : tensor<7x9xf32>
}

// -----

// Along an axis that is known to be inside, indices are those of the source.
// Others are taken as they are, if they are inside.
// CHECK-LABEL: func.func @elements
// CHECK: linalg.generic
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I:.*]], %[[N:.*]] : index
// CHECK: %[[AT:.*]] = scf.if %[[IN]] -> (index) {
// CHECK-NEXT: scf.yield %[[I]]
// CHECK-NEXT: } else {
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK-NOT: arith.remsi
// CHECK: tensor.extract %arg0[%[[AT]]] : tensor<?xf32>
func.func @elements(%x: tensor<?xf32>) -> tensor<?xf32> {
  %p = loom.boundary replicate %x low[1] high[0] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @constant
// CHECK: tensor.pad %arg0 low[1] high[%arg1]
// CHECK: tensor.yield %arg2 : f32
func.func @constant(%x: tensor<?xf32>, %n: index, %c: f32) -> tensor<?xf32> {
  %p = loom.boundary constant %x with %c : f32 low[1] high[%n] : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// -----

// Behind a guard that always fails, types contradict each other.
// CHECK-LABEL: func.func @contradiction
// CHECK: tensor.cast {{.*}} : tensor<7xf32> to tensor<?xf32>
// CHECK: tensor.cast {{.*}} : tensor<?xf32> to tensor<9xf32>
func.func @contradiction(%x: tensor<4xf32>) -> tensor<9xf32> {
  %p = loom.boundary wrap %x low[1] high[2] : tensor<4xf32> to tensor<9xf32>
  return %p : tensor<9xf32>
}

// -----

// Nothing is put where nothing is.
// CHECK-LABEL: func.func @none
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @none(%x: tensor<0x4xf32>, %c: f32) -> (tensor<3x7xf32>, tensor<0x5xf32>) {
  %p = loom.boundary constant %x with %c : f32 low[3, 0] high[0, 0] interior [0, 1] : tensor<0x4xf32> to tensor<3x7xf32>
  %q = loom.boundary wrap %x low[0, 1] high[0, 0] : tensor<0x4xf32> to tensor<0x5xf32>
  return %p, %q : tensor<3x7xf32>, tensor<0x5xf32>
}

// -----

// Elements between others: a tensor of the value, and the source with steps.
// CHECK-LABEL: func.func @interior
// CHECK: %[[ALL:.*]] = linalg.fill ins(%arg1 : f32)
// CHECK: tensor.insert_slice %arg0 into %[[ALL]][1, 0] [4, 6] [3, 1] : tensor<4x6xf32> into tensor<{{.*}}xf32>
func.func @interior(%x: tensor<4x6xf32>, %c: f32) -> tensor<11x6xf32> {
  %p = loom.boundary constant %x with %c : f32 low[1, 0] high[0, 0] interior [2, 0] : tensor<4x6xf32> to tensor<11x6xf32>
  return %p : tensor<11x6xf32>
}
