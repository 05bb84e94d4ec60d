// RUN: broadloom-opt %s --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --broadloom-legalize --broadloom-guard --loom-lower-tosa | FileCheck %s

// Everything that is not element-wise goes, with the batch known at run time.
// CHECK-NOT: = {{"?}}tosa.

// CHECK-LABEL: func.func @convolutions
// CHECK: linalg.conv_2d_nhwc_fhwc
// Channels and the copies of each become one axis of the result.
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel", "parallel"]
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] : tensor<?x8x8x8x1xf32> into tensor<?x8x8x8xf32>
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.pooling_nhwc_sum
func.func @convolutions(%a: tensor<?x8x8x3xf32>, %w: tensor<8x3x3x3xf32>, %d: tensor<3x3x8x1xf32>, %b: tensor<8xf32>) -> tensor<?x2x2x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x8xf32>
  %1 = tosa.depthwise_conv2d %0, %d, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x8xf32>, tensor<3x3x8x1xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x8xf32>
  %2 = tosa.max_pool2d %1 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x8x8x8xf32>) -> tensor<?x4x4x8xf32>
  %3 = tosa.avg_pool2d %2, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x4x4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x2x2x8xf32>
  return %3 : tensor<?x2x2x8xf32>
}

// Planes of a convolution in three dimensions, and all else, open.
// CHECK-LABEL: func.func @openConvolution3d
// CHECK-SAME: (%[[A:.*]]: tensor<?x?x?x?x?xf32>, %[[W:[^:]*]]: tensor<?x?x?x?x?xf32>
// CHECK: %[[P:.*]] = tensor.pad %[[A]] low[0, 1, 0, 0, 0] high[0, 0, 2, 0, 0]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%[[P]], %[[W]] :
func.func @openConvolution3d(%a: tensor<?x?x?x?x?xf32>, %w: tensor<?x?x?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv3d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 1, 0, 0, 2, 0, 0>, stride = array<i64: 2, 1, 1>} : (tensor<?x?x?x?x?xf32>, tensor<?x?x?x?x?xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x?x?xf32>
  return %0 : tensor<?x?x?x?x?xf32>
}

// CHECK-LABEL: func.func @transposeConvolution
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction", "reduction", "reduction", "parallel", "reduction"]
func.func @transposeConvolution(%a: tensor<?x4x4x3xf32>, %w: tensor<8x2x2x3xf32>, %b: tensor<8xf32>) -> tensor<?x8x8x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x4x4x3xf32>, tensor<8x2x2x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x8xf32>
  return %0 : tensor<?x8x8x8xf32>
}

// CHECK-LABEL: func.func @resize
// CHECK: linalg.generic
func.func @resize(%a: tensor<?x4x4x3xf32>) -> tensor<?x8x8x3xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %a, %s, %o, %b {mode = BILINEAR} : (tensor<?x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x8x8x3xf32>
  return %0 : tensor<?x8x8x3xf32>
}

// The shape functions give the extents that the types leave open.
// CHECK-LABEL: func.func @openImages
// CHECK-SAME: (%[[A:.*]]: tensor<?x?x?x3xf32>,
func.func @openImages(%a: tensor<?x?x?x3xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>) -> (tensor<?x?x?x3xf32>, tensor<?x?x?x3xf32>, tensor<?x?x?x8xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // CHECK: %[[H:.*]] = tensor.dim %[[A]], %{{.*}}
  // CHECK: arith.divsi
  // CHECK: %[[P:.*]] = tensor.pad %[[A]] low[0, 1, 0, 0] high[0, 0, 0, 0]
  // CHECK: linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[P]], %{{.*}} : tensor<?x?x?x3xf32>, tensor<2x3xf32>)
  %0 = tosa.avg_pool2d %a, %z, %z {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<?x?x?x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x3xf32>
  %s = tosa.const_shape {values = dense<[4, 2, 3, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // CHECK: linalg.index
  // CHECK: tensor.extract %[[A]][
  %1 = tosa.resize %a, %s, %o, %o {mode = BILINEAR} : (tensor<?x?x?x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x?x?x3xf32>
  // What out_pad cuts is left out at the end.
  // CHECK: linalg.generic
  // CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[A]], %{{.*}} : tensor<?x?x?x3xf32>, tensor<8x3x2x3xf32>) outs(
  // CHECK: tensor.extract_slice %[[T]][0, 1, 0, 0]
  %2 = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 2, 1>} : (tensor<?x?x?x3xf32>, tensor<8x3x2x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  return %0, %1, %2 : tensor<?x?x?x3xf32>, tensor<?x?x?x3xf32>, tensor<?x?x?x8xf32>
}

// CHECK-LABEL: func.func @moves
// CHECK: tensor.pad
// CHECK: tensor.insert_slice
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
func.func @moves(%a: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = tosa.const_shape {values = dense<[0, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.const_shape {values = dense<[-1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.pad %a, %p, %z : (tensor<?x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x6xf32>
  %1 = tosa.concat %0, %0 {axis = 0 : i32} : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %2 = tosa.reshape %1, %s : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<?x5xf32>
  %3 = tosa.transpose %2 {perms = array<i32: 1, 0>} : (tensor<?x5xf32>) -> tensor<5x?xf32>
  %4 = tosa.reverse %3 {axis = 0 : i32} : (tensor<5x?xf32>) -> tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}

// A concatenation that begins with the operands of an earlier one, along the
// same axis, copies its result.
// CHECK-LABEL: func.func @shared_concatenations
// CHECK-SAME: (%[[A:.*]]: tensor<?x2xf32>, %[[B:.*]]: tensor<?x3xf32>, %[[C:.*]]: tensor<?x4xf32>
// CHECK: tensor.insert_slice %[[A]] into %{{.*}} : tensor<?x2xf32> into tensor<?x5xf32>
// CHECK: %[[AB:.*]] = tensor.insert_slice %[[B]] into %{{.*}} : tensor<?x3xf32> into tensor<?x5xf32>
// CHECK-NOT: tensor.insert_slice %[[A]]
// CHECK: tensor.insert_slice %[[AB]] into %{{.*}} : tensor<?x5xf32> into tensor<?x9xf32>
// CHECK: %[[ABC:.*]] = tensor.insert_slice %[[C]] into %{{.*}} : tensor<?x4xf32> into tensor<?x9xf32>
// CHECK: tensor.insert_slice %[[ABC]] into %{{.*}} : tensor<?x9xf32> into tensor<?x14xf32>
// CHECK: tensor.insert_slice %[[AB]] into %{{.*}} : tensor<?x5xf32> into tensor<?x14xf32>
func.func @shared_concatenations(%a: tensor<?x2xf32>, %b: tensor<?x3xf32>, %c: tensor<?x4xf32>) -> (tensor<?x5xf32>, tensor<?x9xf32>, tensor<?x14xf32>) {
  %ab = tosa.concat %a, %b {axis = 1 : i32} : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>
  %abc = tosa.concat %a, %b, %c {axis = 1 : i32} : (tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x9xf32>
  %all = tosa.concat %a, %b, %c, %ab {axis = 1 : i32} : (tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x4xf32>, tensor<?x5xf32>) -> tensor<?x14xf32>
  return %ab, %abc, %all : tensor<?x5xf32>, tensor<?x9xf32>, tensor<?x14xf32>
}

// Along another axis, and in another block, nothing is shared.
// CHECK-LABEL: func.func @other_concatenations
// CHECK-SAME: (%[[A:.*]]: tensor<2x2xf32>, %[[B:.*]]: tensor<2x2xf32>, %[[C:.*]]: tensor<2x2xf32>
// CHECK: tensor.insert_slice %[[A]] into %{{.*}} : tensor<2x2xf32> into tensor<4x2xf32>
// CHECK: tensor.insert_slice %[[A]] into %{{.*}} : tensor<2x2xf32> into tensor<2x6xf32>
// CHECK: scf.if
// CHECK: tensor.insert_slice %[[A]] into %{{.*}} : tensor<2x2xf32> into tensor<6x2xf32>
func.func @other_concatenations(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>, %if: i1) -> (tensor<4x2xf32>, tensor<2x6xf32>, tensor<6x2xf32>) {
  %0 = tosa.concat %a, %b {axis = 0 : i32} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %1 = tosa.concat %a, %b, %c {axis = 1 : i32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  %2 = scf.if %if -> tensor<6x2xf32> {
    %3 = tosa.concat %a, %b, %c {axis = 0 : i32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<6x2xf32>
    scf.yield %3 : tensor<6x2xf32>
  } else {
    %4 = tosa.concat %c, %b, %a {axis = 0 : i32} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<6x2xf32>
    scf.yield %4 : tensor<6x2xf32>
  }
  return %0, %1, %2 : tensor<4x2xf32>, tensor<2x6xf32>, tensor<6x2xf32>
}

// The sizes of a slice are its operand's, also where the declared type leaves
// them open; -1 is all that is left.
// CHECK-LABEL: func.func @slices
// CHECK-SAME: (%[[A:.*]]: tensor<?x6xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[A]][1, 0] [2, 4] [1, 1] : tensor<?x6xf32> to tensor<2x4xf32>
// CHECK: tensor.cast %[[S]] : tensor<2x4xf32> to tensor<?x4xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[A]]
// CHECK: %[[L:.*]] = arith.subi %[[D]]
// CHECK: tensor.extract_slice %[[A]][1, 2] [%[[L]], 4] [1, 1] : tensor<?x6xf32> to tensor<?x4xf32>
func.func @slices(%a: tensor<?x6xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %s = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %t = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %y = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %a, %s, %z : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x4xf32>
  %1 = tosa.slice %a, %t, %y : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @control
// CHECK: scf.if
// CHECK: loom.map
// CHECK: scf.while
func.func @control(%a: tensor<?xi32>, %c: tensor<i1>, %n: tensor<i32>) -> tensor<?xi32> {
  %0 = tosa.cond_if %c (%x = %a) : tensor<i1> (tensor<?xi32>) -> tensor<?xi32> {
  ^bb0(%x0: tensor<?xi32>):
    %y = tosa.add %x0, %x0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    tosa.yield %y : tensor<?xi32>
  } else {
  ^bb0(%x0: tensor<?xi32>):
    tosa.yield %x0 : tensor<?xi32>
  }
  %1 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %2 = "tosa.const"() {values = dense<3> : tensor<i32>} : () -> tensor<i32>
    %3 = tosa.greater %2, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %3 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %2 = tosa.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %2 : tensor<i32>
  }
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func @others
func.func @others(%a: tensor<?x?xf32>, %v: tensor<?x?x?xf32>, %i: tensor<?x?xi32>, %m: tensor<?x3xi8>, %t: tensor<256xi8>, %f: tensor<?x8x16xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %mul = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %shift = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %zp = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reduce_max %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %1 = tosa.argmax %a {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?xi32>
  %2 = tosa.gather %v, %i : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>
  %3 = tosa.scatter %v, %i, %2 : (tensor<?x?x?xf32>, tensor<?x?xi32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %4 = tosa.matmul %2, %3, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  %5 = tosa.tile %a, %s : (tensor<?x?xf32>, !tosa.shape<2>) -> tensor<?x?xf32>
  %6 = tosa.table %m, %t : (tensor<?x3xi8>, tensor<256xi8>) -> tensor<?x3xi8>
  %7 = tosa.rescale %m, %mul, %shift, %zp, %zp {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<?x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x3xi8>
  %8, %9 = tosa.rfft2d %f : (tensor<?x8x16xf32>) -> (tensor<?x8x9xf32>, tensor<?x8x9xf32>)
  %10 = tosa.identity %a : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// Shapes become their numbers, by their shape functions.
// CHECK-LABEL: func.func @computedShapes
// CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>)
// CHECK-NOT: !tosa.shape
// CHECK: %[[N:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[H:.*]] = arith.divsi %[[N]], %{{.*}} : index
// CHECK: tensor.extract_slice %[[A]][%[[H]], 0] [%{{.*}}, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK: %[[L:.*]] = tensor.from_elements %{{.*}} : tensor<1xindex>
// CHECK: tensor.reshape %{{.*}}(%[[L]]) : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
// CHECK-NOT: !tosa.shape
func.func @computedShapes(%a: tensor<?x4xf32>) -> tensor<?xf32> {
  %n = tosa.dim %a {axis = 0 : i32} : (tensor<?x4xf32>) -> !tosa.shape<1>
  %two = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %four = tosa.const_shape {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %rest = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %h = tosa.div_floor_shape %n, %two : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %start = tosa.concat_shape %h, %zero : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %size = tosa.concat_shape %rest, %four : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %0 = tosa.slice %a, %start, %size : (tensor<?x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x4xf32>
  %left = tosa.sub_shape %n, %h : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %all = tosa.mul_shape %left, %four : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %1 = tosa.reshape %0, %all : (tensor<?x4xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
