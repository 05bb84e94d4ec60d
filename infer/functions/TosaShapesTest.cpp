//===- TosaShapesTest.cpp - the library for TOSA --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Static shapes against upstream's own inference, wherever that is right, and
// against shapes that were worked out from the TOSA specification's formulas.
//
//===----------------------------------------------------------------------===//

#include "test/lib/functions/TosaShapesTest.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

const Case cases[] = {
    {"%a: tensor<2x1x4xf32>, %b: tensor<2x3x1xf32>",
     "%r = tosa.add %a, %b : (tensor<2x1x4xf32>, tensor<2x3x1xf32>) -> "
     "tensor<*xf32>",
     "2x3x4"},
    {"%a: tensor<2x4xi32>, %b: tensor<1x4xi32>",
     "%r = tosa.greater %a, %b : (tensor<2x4xi32>, tensor<1x4xi32>) -> "
     "tensor<*xi1>",
     "2x4"},
    {"%c: tensor<2x1xi1>, %a: tensor<1x4xf32>, %b: tensor<2x4xf32>",
     "%r = tosa.select %c, %a, %b : (tensor<2x1xi1>, tensor<1x4xf32>, "
     "tensor<2x4xf32>) -> tensor<*xf32>",
     "2x4"},
    {"%a: tensor<2x5xf32>",
     "%r = tosa.tanh %a : (tensor<2x5xf32>) -> tensor<*xf32>", "2x5"},
    {"%a: tensor<2x5x7xf32>",
     "%r = tosa.argmax %a {axis = 1 : i32} : (tensor<2x5x7xf32>) -> "
     "tensor<*xi32>",
     "2x7"},
    {"%a: tensor<2x5x7xf32>",
     "%r = tosa.reduce_sum %a {axis = 2 : i32} : (tensor<2x5x7xf32>) -> "
     "tensor<*xf32>",
     "2x5x1"},
    {"%a: tensor<2x5xi1>",
     "%r = tosa.reduce_all %a {axis = 0 : i32} : (tensor<2x5xi1>) -> "
     "tensor<*xi1>",
     "1x5"},
    {"%a: tensor<2x3xf32>, %b: tensor<2x4xf32>, %c: tensor<2x5xf32>",
     "%r = tosa.concat %a, %b, %c {axis = 1 : i32} : (tensor<2x3xf32>, "
     "tensor<2x4xf32>, tensor<2x5xf32>) -> tensor<*xf32>",
     "2x12"},
    {"%a: tensor<2x3x5xf32>, %b: tensor<2x5x7xf32>",
     ZP("z") "%r = tosa.matmul %a, %b, %z, %z : (tensor<2x3x5xf32>, "
             "tensor<2x5x7xf32>, tensor<1xf32>, tensor<1xf32>) -> "
             "tensor<*xf32>",
     "2x3x7"},
    {"%i: tensor<1x32x30x3xf32>, %w: tensor<8x3x5x3xf32>, %b: tensor<8xf32>",
     ZP("z") "%r = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = "
             "array<i64: 2, 1>, pad = array<i64: 1, 0, 2, 3>, stride = "
             "array<i64: 1, 2>} : (tensor<1x32x30x3xf32>, tensor<8x3x5x3xf32>, "
             "tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>",
     "1x29x16x8"},
    {"%i: tensor<2x8x9x10x3xf32>, %w: tensor<4x2x3x4x3xf32>, %b: tensor<4xf32>",
     ZP("z") "%r = tosa.conv3d %i, %w, %b, %z, %z {acc_type = f32, dilation = "
             "array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 1, 1, 0, 1>, stride "
             "= array<i64: 1, 2, 1>} : (tensor<2x8x9x10x3xf32>, "
             "tensor<4x2x3x4x3xf32>, tensor<4xf32>, tensor<1xf32>, "
             "tensor<1xf32>) -> tensor<*xf32>",
     "2x7x5x8x4"},
    {"%i: tensor<1x9x9x3xf32>, %w: tensor<3x3x3x5xf32>, %b: tensor<15xf32>",
     ZP("z") "%r = tosa.depthwise_conv2d %i, %w, %b, %z, %z {acc_type = f32, "
             "dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
             "stride "
             "= array<i64: 2, 2>} : (tensor<1x9x9x3xf32>, tensor<3x3x3x5xf32>, "
             "tensor<15xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>",
     "1x4x4x15"},
    {"%i: tensor<1x4x5x3xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>",
     ZP("z") "%r = tosa.transpose_conv2d %i, %w, %b, %z, %z {acc_type = f32, "
             "out_pad = array<i64: -1, 0, 2, 0>, stride = array<i64: 2, 3>} : "
             "(tensor<1x4x5x3xf32>, tensor<8x3x2x3xf32>, tensor<8xf32>, "
             "tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>",
     "1x8x16x8"},
    {"%i: tensor<1x32x32x8xf32>",
     "%r = tosa.max_pool2d %i {kernel = array<i64: 2, 3>, pad = array<i64: 0, "
     "0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x32x32x8xf32>) -> "
     "tensor<*xf32>",
     "1x16x32x8"},
    {"%i: tensor<1x6x6x8xf32>",
     ZP("z") "%r = tosa.avg_pool2d %i, %z, %z {acc_type = f32, kernel = "
             "array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = "
             "array<i64: 2, 2>} : (tensor<1x6x6x8xf32>, tensor<1xf32>, "
             "tensor<1xf32>) -> tensor<*xf32>",
     "1x3x3x8"},
    {"%a: tensor<2x3xf32>",
     ZP("z") SHAPE(
         "p", "[1, 2, 0, 4]",
         "4") "%r = tosa.pad %a, %p, %z : (tensor<2x3xf32>, !tosa.shape<4>, "
              "tensor<1xf32>) -> tensor<*xf32>",
     "5x7"},
    {"%a: tensor<2x3x4xf32>",
     SHAPE("s", "[6, -1]", "2") "%r = tosa.reshape %a, %s : "
                                "(tensor<2x3x4xf32>, !tosa.shape<2>) -> "
                                "tensor<*xf32>",
     "6x4"},
    {"%a: tensor<2x3xf32>",
     "%r = tosa.reverse %a {axis = 1 : i32} : (tensor<2x3xf32>) -> "
     "tensor<*xf32>",
     "2x3"},
    {"%a: tensor<6x5xf32>",
     SHAPE("s", "[1, 2]", "2") SHAPE(
         "z", "[3, 2]",
         "2") "%r = tosa.slice %a, %s, %z : (tensor<6x5xf32>, !tosa.shape<2>, "
              "!tosa.shape<2>) -> tensor<*xf32>",
     "3x2"},
    // Upstream leaves open what -1 stands for.
    {"%a: tensor<6x5xf32>",
     SHAPE("s", "[1, 2]", "2") SHAPE(
         "z", "[-1, 2]",
         "2") "%r = tosa.slice %a, %s, %z : (tensor<6x5xf32>, !tosa.shape<2>, "
              "!tosa.shape<2>) -> tensor<*xf32>",
     "5x2", false},
    {"%a: tensor<2x3xf32>",
     SHAPE("m", "[2, 5]", "2") "%r = tosa.tile %a, %m : (tensor<2x3xf32>, "
                               "!tosa.shape<2>) -> tensor<*xf32>",
     "4x15"},
    {"%a: tensor<2x3x4xf32>",
     "%r = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : "
     "(tensor<2x3x4xf32>) -> tensor<*xf32>",
     "4x2x3"},
    {"%a: tensor<2x9x4xf32>, %i: tensor<2x5xi32>",
     "%r = tosa.gather %a, %i : (tensor<2x9x4xf32>, tensor<2x5xi32>) -> "
     "tensor<*xf32>",
     "2x5x4"},
    {"%a: tensor<2x9x4xf32>, %i: tensor<2x5xi32>, %v: tensor<2x5x4xf32>",
     "%r = tosa.scatter %a, %i, %v : (tensor<2x9x4xf32>, tensor<2x5xi32>, "
     "tensor<2x5x4xf32>) -> tensor<*xf32>",
     "2x9x4"},
    {"%a: tensor<1x8x8x3xf32>",
     SHAPE("s", "[4, 2, 4, 2]", "4") SHAPE("o", "[-1, 0]", "2")
         SHAPE("b", "[1, 2]",
               "2") "%r = tosa.resize %a, %s, %o, %b {mode = BILINEAR} : "
                    "(tensor<1x8x8x3xf32>, !tosa.shape<4>, !tosa.shape<2>, "
                    "!tosa.shape<2>) -> tensor<*xf32>",
     "1x16x16x3"},
    {"%a: tensor<2x3xf32>",
     "%r = tosa.cast %a : (tensor<2x3xf32>) -> tensor<*xi32>", "2x3"},
    {"%a: tensor<2x4x8xf32>, %b: tensor<2x4x8xf32>",
     "%r, %s = tosa.fft2d %a, %b {inverse = false} : (tensor<2x4x8xf32>, "
     "tensor<2x4x8xf32>) -> (tensor<*xf32>, tensor<*xf32>)",
     "2x4x8, 2x4x8"},
    {"%a: tensor<2x4x8xf32>",
     "%r, %s = tosa.rfft2d %a : (tensor<2x4x8xf32>) -> (tensor<*xf32>, "
     "tensor<*xf32>)",
     "2x4x5, 2x4x5"},
    {"%a: tensor<2x3xi8>, %t: tensor<256xi8>",
     "%r = tosa.table %a, %t : (tensor<2x3xi8>, tensor<256xi8>) -> "
     "tensor<*xi8>",
     "2x3"},
    {"%a: tensor<2x3xf32>",
     ZP("z") "%r = tosa.negate %a, %z, %z : (tensor<2x3xf32>, tensor<1xf32>, "
             "tensor<1xf32>) -> tensor<*xf32>",
     "2x3"},
    {"%a: tensor<2x3xi32>, %b: tensor<1x3xi32>, %s: tensor<1xi8>",
     "%r = tosa.mul %a, %b, %s : (tensor<2x3xi32>, tensor<1x3xi32>, "
     "tensor<1xi8>) -> tensor<*xi32>",
     "2x3"},
    // Upstream's operations have no inference for the following.
    {"",
     "%r = \"tosa.const\"() {values = dense<0> : tensor<3x2xi8>} : () -> "
     "tensor<3x2xi8>",
     "3x2", false},
    {"%a: tensor<2x3xi1>, %c: tensor<i1>",
     "%r = tosa.cond_if %c : tensor<i1> -> tensor<2x3xi1> {\n"
     "tosa.yield %a : tensor<2x3xi1>\n} else {\n"
     "tosa.yield %a : tensor<2x3xi1>\n}",
     "2x3", false},
    {"%a: tensor<2x3xf32>",
     "%r = tosa.dim %a {axis = 1 : i32} : (tensor<2x3xf32>) -> !tosa.shape<1>",
     "1 = 3", false},
    {"",
     SHAPE("a", "[7, 4]", "2")
         SHAPE("b", "[2, 3]", "2") "%r = tosa.div_ceil_shape %a, %b : "
                                   "(!tosa.shape<2>, !tosa.shape<2>) "
                                   "-> !tosa.shape<2>",
     "2 = 4 2", false},
    {"",
     SHAPE("a", "[7, 8]", "2") "%r = tosa.log2_floor_shape %a : "
                               "(!tosa.shape<2>) -> !tosa.shape<2>",
     "2 = 2 3", false},
    {"",
     SHAPE("a", "[7, 8, 1]", "3") "%r = tosa.log2_ceil_shape %a : "
                                  "(!tosa.shape<3>) -> !tosa.shape<3>",
     "3 = 3 3 0", false},
    {"",
     SHAPE("a", "[0, 5]", "2") "%r = tosa.exp2_shape %a : (!tosa.shape<2>) -> "
                               "!tosa.shape<2>",
     "2 = 1 32", false},
    {"",
     SHAPE("a", "[7, 8]", "2")
         SHAPE("b", "[1]", "1") "%r = tosa.concat_shape %a, %b : "
                                "(!tosa.shape<2>, !tosa.shape<1>) -> "
                                "!tosa.shape<3>",
     "3 = 7 8 1", false},
};

TEST_F(TosaShapesTest, sf1_staticShapesAreWhatUpstreamInfers) {
  for (const Case &test : cases)
    check(test);
}

} // namespace
