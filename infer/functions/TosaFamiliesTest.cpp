//===- TosaFamiliesTest.cpp - what several operations have in common ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that TosaShapesTest.cpp has no line for: families of one
// function, and those for which upstream has no inference.
//
//===----------------------------------------------------------------------===//

#include "test/lib/functions/TosaShapesTest.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

TEST_F(TosaShapesTest, sf1_unary) {
  for (const char *name :
       {"tosa.clamp", "tosa.erf", "tosa.sigmoid", "tosa.abs",
        "tosa.bitwise_not", "tosa.ceil", "tosa.clz", "tosa.cos", "tosa.exp",
        "tosa.floor", "tosa.log", "tosa.logical_not", "tosa.reciprocal",
        "tosa.rsqrt", "tosa.sin", "tosa.identity"})
    check({"%a: tensor<2x5x3xi32>",
           "%r = \"" + std::string(name) +
               "\"(%a) : (tensor<2x5x3xi32>) -> tensor<*xi32>",
           "2x5x3"});
}

TEST_F(TosaShapesTest, sf1_binary) {
  for (const char *name :
       {"tosa.arithmetic_right_shift", "tosa.bitwise_and", "tosa.bitwise_or",
        "tosa.bitwise_xor", "tosa.intdiv", "tosa.logical_and",
        "tosa.logical_left_shift", "tosa.logical_right_shift",
        "tosa.logical_or", "tosa.logical_xor", "tosa.maximum", "tosa.minimum",
        "tosa.pow", "tosa.sub", "tosa.equal", "tosa.greater_equal"})
    check({"%a: tensor<2x1x4xi32>, %b: tensor<1x3x4xi32>",
           "%r = \"" + std::string(name) +
               "\"(%a, %b) : (tensor<2x1x4xi32>, tensor<1x3x4xi32>) -> "
               "tensor<*xi32>",
           "2x3x4"});
}

TEST_F(TosaShapesTest, sf1_reductions) {
  for (const char *name : {"tosa.reduce_any", "tosa.reduce_max",
                           "tosa.reduce_min", "tosa.reduce_product"})
    check({"%a: tensor<2x5x7xi32>",
           "%r = \"" + std::string(name) +
               "\"(%a) {axis = 1 : i32} : (tensor<2x5x7xi32>) -> "
               "tensor<*xi32>",
           "2x1x7"});
}

TEST_F(TosaShapesTest, sf1_arithmeticOnShapes) {
  // tosa.const_shape
  check({"", SHAPE("r", "[7, 4]", "2"), "2 = 7 4", false});
  // Upstream does not infer values.
  const std::pair<const char *, const char *> results[] = {
      {"tosa.add_shape", "9 7"},   {"tosa.sub_shape", "5 1"},
      {"tosa.mul_shape", "14 12"}, {"tosa.max_shape", "7 4"},
      {"tosa.min_shape", "2 3"},   {"tosa.div_floor_shape", "3 1"},
      {"tosa.mod_shape", "1 1"}};
  for (auto [name, result] : results)
    check({"",
           SHAPE("a", "[7, 4]", "2") SHAPE("b", "[2, 3]", "2") "%r = \"" +
               std::string(name) +
               "\"(%a, %b) : (!tosa.shape<2>, !tosa.shape<2>) -> "
               "!tosa.shape<2>",
           "2 = " + std::string(result), false});
  check({"",
         SHAPE("a", "[7, 4, 9]", "3") SHAPE("s", "[1]", "1")
             SHAPE("n", "[2]", "1") "%r = \"tosa.slice_shape\"(%a, %s, %n) : "
                                    "(!tosa.shape<3>, !tosa.shape<1>, "
                                    "!tosa.shape<1>) -> !tosa.shape<2>",
         "2 = 4 9", false});
}

TEST_F(TosaShapesTest, sf1_scaling) {
  check({"%a: tensor<2x3xi32>, %m: tensor<2x3xi32>, %s: tensor<2x3xi8>",
         "%r = \"tosa.apply_scale\"(%a, %m, %s) : (tensor<2x3xi32>, "
         "tensor<2x3xi32>, tensor<2x3xi8>) -> tensor<*xi32>",
         "2x3", false});
  check({"%a: tensor<2x3xi8>, %m: tensor<3xi32>, %s: tensor<3xi8>, %z: "
         "tensor<1xi8>",
         "%r = \"tosa.rescale\"(%a, %m, %s, %z, %z) {per_channel = true} : "
         "(tensor<2x3xi8>, tensor<3xi32>, tensor<3xi8>, tensor<1xi8>, "
         "tensor<1xi8>) -> tensor<*xi8>",
         "2x3"});
}

TEST_F(TosaShapesTest, sf1_blocksWithScales) {
  const std::string size = "block_size = #tosa.block_size<BLOCK_SIZE_32>";
  check({"%a: tensor<2x3x64xf8E4M3FN>, %s: tensor<2x3x2xf8E8M0FNU>, %b: "
         "tensor<2x5x64xf8E4M3FN>, %t: tensor<2x5x2xf8E8M0FNU>",
         "%r = \"tosa.matmul_t_block_scaled\"(%a, %s, %b, %t) {" + size +
             "} : (tensor<2x3x64xf8E4M3FN>, tensor<2x3x2xf8E8M0FNU>, "
             "tensor<2x5x64xf8E4M3FN>, tensor<2x5x2xf8E8M0FNU>) -> "
             "tensor<*xf32>",
         "2x3x5"});
  check({"%a: tensor<3x64xf8E4M3FN>, %s: tensor<3x2xf8E8M0FNU>",
         "%r = \"tosa.cast_from_block_scaled\"(%a, %s) {" + size +
             "} : (tensor<3x64xf8E4M3FN>, tensor<3x2xf8E8M0FNU>) -> "
             "tensor<*xf32>",
         "3x64"});
  check({"%a: tensor<3x64xf32>",
         "%r, %s = \"tosa.cast_to_block_scaled\"(%a) {" + size +
             "} : (tensor<3x64xf32>) -> (tensor<*xf8E4M3FN>, "
             "tensor<*xf8E8M0FNU>)",
         "3x64, 3x2"});
}

TEST_F(TosaShapesTest, sf1_variablesAndControl) {
  outside = "\"tosa.variable\"() {sym_name = \"v\", var_shape = dense<[2, 3]> "
            ": tensor<2xindex>, type = f32} : () -> ()";
  check({"",
         "%r = \"tosa.variable_read\"() {name = \"v\"} : () -> "
         "tensor<*xf32>",
         "2x3", false});
  check({"%a: tensor<2x3xf32>",
         "\"tosa.variable_write\"(%a) {name = \"v\"} : (tensor<2x3xf32>) -> "
         "()",
         "", false});
  check({"%a: tensor<2x3xi32>",
         "%r = \"tosa.while_loop\"(%a) ({\n"
         "^bb0(%x: tensor<2x3xi32>):\n"
         "%c = \"tosa.const\"() {values = dense<true> : tensor<i1>} : () -> "
         "tensor<i1>\n"
         "\"tosa.yield\"(%c) : (tensor<i1>) -> ()\n}, {\n"
         "^bb0(%x: tensor<2x3xi32>):\n"
         "\"tosa.yield\"(%x) : (tensor<2x3xi32>) -> ()\n}) : "
         "(tensor<2x3xi32>) -> tensor<2x3xi32>",
         "2x3", false});
}

TEST_F(TosaShapesTest, sf7_onlyItsAuthorKnowsACustomOperation) {
  check({"%a: tensor<2x3xi32>",
         "%r = \"tosa.custom\"(%a) {operator_name = \"o\", domain_name = "
         "\"d\", implementation_attrs = \"\"} : (tensor<2x3xi32>) -> "
         "tensor<*xi32>",
         "*", false});
}

} // namespace
