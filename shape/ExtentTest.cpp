//===- ExtentTest.cpp - tests of extents, shapes and their text -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Shape.h"
#include "shape/Symbols.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

TEST(Extent, ext1_kinds) {
  EXPECT_TRUE(Extent().isDynamic());
  EXPECT_TRUE(Extent::fixed(0).isFixed(0));
  EXPECT_TRUE(Extent::fixed(7).isStatic());
  EXPECT_FALSE(Extent::symbol(0).isStatic());
  EXPECT_TRUE(Extent::scalable(4).isStatic());
  EXPECT_NE(Extent::scalable(4), Extent::fixed(4));
  EXPECT_NE(Extent::symbol(4), Extent::fixed(4));
  EXPECT_EQ(Extent::symbol(4).symbolId(), 4u);
  EXPECT_EQ(Extent::scalable(4).value(), 4);
}

TEST(Extent, ext1_negativeNumbersAreDynamic) {
  EXPECT_TRUE(Extent::fixed(-1).isDynamic());
  EXPECT_TRUE(Extent::fixed(std::numeric_limits<int64_t>::min()).isDynamic());
  EXPECT_TRUE(Extent::scalable(-3).isDynamic());
}

TEST(Shape, rankZeroIsNotUnranked) {
  Shape scalar;
  EXPECT_TRUE(scalar.isRanked());
  EXPECT_EQ(scalar.rank(), 0u);
  EXPECT_FALSE(Shape::unranked().isRanked());
  EXPECT_NE(scalar, Shape::unranked());
  EXPECT_TRUE(scalar.view().isStatic());
  EXPECT_FALSE(Shape::unranked().view().isStatic());
}

TEST(Shape, growsPastItsInlineExtents) {
  Shape shape;
  for (int64_t n = 0; n < 40; ++n) {
    shape.push_back(Extent::fixed(n));
    ASSERT_EQ(shape.rank(), static_cast<size_t>(n) + 1);
  }
  Shape copy = shape;
  copy[39] = Extent::dynamic();
  for (int64_t n = 0; n < 40; ++n)
    EXPECT_TRUE(shape[static_cast<size_t>(n)].isFixed(n));
  EXPECT_NE(copy, shape);
  Shape moved = std::move(copy);
  EXPECT_EQ(moved.rank(), 40u);
  EXPECT_TRUE(moved[39].isDynamic());
}

TEST(Shape, bcast1_addedAxesAreOne) {
  Shape shape = Shape::fromIntegers({5, 3});
  EXPECT_TRUE(shape.view().alignedTo(4, 0).isFixed(1));
  EXPECT_TRUE(shape.view().alignedTo(4, 1).isFixed(1));
  EXPECT_TRUE(shape.view().alignedTo(4, 2).isFixed(5));
  EXPECT_TRUE(shape.view().alignedTo(2, 0).isFixed(5));
}

TEST(Shape, fromIntegers) {
  int64_t extents[] = {4, -1, 2};
  bool scalable[] = {false, false, true};
  EXPECT_EQ(toString(Shape::fromIntegers(extents, 3, scalable)), "4x?x[2]");
}

TEST(Shape, textBothWays) {
  for (const char *text : {"", "*", "0", "?", "4x?x3", "1x[4]", "[0]x?",
                           "9223372036854775807", "1x1x1x1x1x1x1x1x1"}) {
    std::optional<Shape> shape = parseShape(text);
    ASSERT_TRUE(shape) << text;
    EXPECT_EQ(toString(*shape), text);
  }
}

TEST(Shape, ext1_textOfSymbols) {
  EXPECT_EQ(toString(Shape{Extent::symbol(0), Extent::symbol(0)}), "s0xs0");
  Symbols symbols;
  Shape shape = *parseShape("batchx?xbatchxn_1", &symbols);
  EXPECT_EQ(shape[0], shape[2]);
  EXPECT_NE(shape[0], shape[3]);
  EXPECT_EQ(toString(shape, &symbols), "batchx?xbatchxn_1");
  EXPECT_EQ(symbols.size(), 2u);
}

TEST(Shape, abi1_knownNamesMayHaveAnX) {
  Symbols symbols;
  Extent most = symbols.named("max_n"), x = symbols.named("x");
  EXPECT_EQ(*parseShape("max_nx4xmax_n", &symbols),
            (Shape{most, Extent::fixed(4), most}));
  EXPECT_EQ(*parseShape("xxx", &symbols), (Shape{x, x}));
  // Not known as a whole, it is split as ever: `ma`, and an empty extent.
  EXPECT_FALSE(parseShape("max_mxx_n", &symbols));
}

TEST(Shape, malformedTextIsRefused) {
  Symbols symbols;
  for (const char *text : {"x",
                           "4x",
                           "x4",
                           "4xx3",
                           "-1",
                           "4x-1",
                           "*x4",
                           "4x*",
                           " 4",
                           "4 ",
                           "4,3",
                           "[]",
                           "[4",
                           "4]",
                           "[?]",
                           "[-1]",
                           "9223372036854775808",
                           "4x3x",
                           "99999999999999999999999",
                           "+4",
                           "0x10x",
                           "a-b",
                           "3a",
                           "??"})
    EXPECT_FALSE(parseShape(text, &symbols)) << text;
  EXPECT_FALSE(parseShape("n")) << "a name without a table";
}

} // namespace
