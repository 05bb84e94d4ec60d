//===- TakesTextTest.cpp --------------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/TakesText.h"

#include "gtest/gtest.h"

using namespace broadloom;

namespace {

TEST(TakesTextTest, Tensors) {
  EXPECT_EQ(tensorText(*parseShape("4x?"), {}, "f32"), "tensor<4x?xf32>");
  EXPECT_EQ(tensorText(*parseShape("4x?x?"), {"n", "m", ""}, "i8"),
            "tensor<4xmx?xi8>");
  EXPECT_EQ(tensorText(*parseShape(""), {}, "f32"), "tensor<f32>");
  EXPECT_EQ(tensorText(*parseShape("*"), {}, "f32"), "tensor<*xf32>");
  EXPECT_EQ(joinExtents({"B", "?", "64"}), "Bx?x64");
  EXPECT_EQ(joinExtents({}), "");
}

TEST(TakesTextTest, Counts) {
  EXPECT_EQ(takesText("f", {}), "'f' takes no arguments");
  EXPECT_EQ(takesText("f", {"A"}), "'f' takes 1 argument: A");
  EXPECT_EQ(wrongCountText(1, "f", {"A", "B"}),
            "1 argument is given, but 'f' takes 2 arguments: A, B");
  EXPECT_EQ(wrongCountText(0, "f", {"A"}),
            "no arguments are given, but 'f' takes 1 argument: A");
  EXPECT_EQ(listText(std::vector<std::string>(10, "A"), "result"),
            "10 results: A, A, A, A, A, A, A, A and 2 more");
}

TEST(TakesTextTest, Types) {
  EXPECT_EQ(wrongTypeText(argumentText(1), "i8", "f32"),
            "argument 1 has element type i8 but the function takes f32");
  EXPECT_EQ(wrongTypeText(argumentText(1, "img"), "i8", "f32"),
            "argument 'img' has element type i8 but the function takes f32");
  EXPECT_EQ(namedText("img", "tensor<4xf32>"), "img: tensor<4xf32>");
  EXPECT_EQ(namedText("", "tensor<4xf32>"), "tensor<4xf32>");
}

} // namespace
