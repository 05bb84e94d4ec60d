//===- FormTest.cpp - sums of products of variables -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Space.h"

#include <gtest/gtest.h>

#include <limits>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Forms : ::testing::Test {
  Space space;
  Form a = space.addSymbol("a"), b = space.addSymbol("b"),
       i = space.addUnknown("i");
};

TEST_F(Forms, print) {
  EXPECT_EQ(space.print(Form(0)), "0");
  EXPECT_EQ(space.print(a - b - b - 3), "a - 2*b - 3");
  EXPECT_EQ(space.print(-a + 1), "-a + 1");
  EXPECT_EQ(space.print((a + 1) * (b - 2)), "-2*a + b + a*b - 2");
  EXPECT_EQ(space.print(isZero(a)), "a == 0");
}

TEST_F(Forms, termsCancel) {
  EXPECT_EQ((a + b) * (a - b) - a * a + b * b, Form(0));
  EXPECT_TRUE((a - a).isConstant());
}

TEST_F(Forms, overflowStays) {
  Form large = Form(kMax) * a;
  EXPECT_TRUE(large.isExact());
  EXPECT_FALSE((large + a).isExact());
  EXPECT_FALSE((large + a - a - large).isExact());
  EXPECT_FALSE((Form(kMax) + 1).isExact());
  EXPECT_FALSE((a * a * a * a * a).isExact());
  EXPECT_TRUE((a * a * a * a).isExact());
}

TEST_F(Forms, splitAndSubstitute) {
  Form form = a * i + i + i + b;
  auto [coefficient, rest] = form.split(2);
  EXPECT_EQ(coefficient, a + 2);
  EXPECT_EQ(rest, b);
  EXPECT_EQ(form.substitute(2, b + 1), a * b + a + b + b + b + 2);
  EXPECT_EQ((i * i).substitute(2, a), a * a);
}

TEST_F(Forms, quotientsAreNormal) {
  Form half = space.floorDivide(a, 2);
  EXPECT_EQ(space.floorDivide(Form(4) * b + a, 2), half + b + b);
  EXPECT_EQ(space.floorDivide(Form(6) * a + 1, 12), half);
  EXPECT_EQ(space.floorDivide(a - 2, 2), half - 1);
  EXPECT_EQ(space.floorDivide(Form(-7), 2), Form(-4));
  EXPECT_EQ(space.print(half + half - a), "-a + 2*(a floordiv 2)");
  EXPECT_FALSE(space.floorDivide(a, 0).isExact());
}

TEST_F(Forms, aQuotientOfAnUnknownIsOne) {
  EXPECT_FALSE(space.hasUnknown(space.floorDivide(a, 2)));
  EXPECT_TRUE(space.hasUnknown(space.floorDivide(a + i, 2)));
}

TEST_F(Forms, comparisonsHaveNoSubtraction) {
  EXPECT_EQ(space.printComparison(b - a), "a <= b");
  EXPECT_EQ(space.printComparison(b - a - 1), "a + 1 <= b");
  EXPECT_EQ(space.printComparison(-a + 3), "a <= 3");
  EXPECT_EQ(space.printComparison(-a), "a <= 0");
  EXPECT_EQ(space.printComparison(a - 2), "2 <= a");
  space.setName(0, "axis 0");
  EXPECT_EQ(space.printComparison(b + b - a), "axis 0 <= 2*b");
}

TEST_F(Forms, evaluate) {
  Form form = a * b - space.floorDivide(a, 4) + 1;
  EXPECT_EQ(space.evaluate(form, {-5, 3}), __int128(-12));
  EXPECT_EQ(space.evaluate(a * a, {kMax}), __int128(kMax) * kMax);
  EXPECT_EQ(space.evaluate(a * a * a, {kMax}), std::nullopt);
  EXPECT_EQ(space.evaluate(Form::inexact(), {}), std::nullopt);
}

} // namespace
