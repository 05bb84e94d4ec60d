//===- FirstFailureTest.cpp - the first iteration outside -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/FirstFailure.h"

#include <gtest/gtest.h>

#include <limits>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

struct First : ::testing::Test {
  Domain d;
  Form n = d.addSymbol("n"), N = d.addSymbol("N");
};

TEST_F(First, stencil) {
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {n});
  FirstFailure first = findFirstFailure(d, {{i, N}, {j - 1, N}}, {30, 30});
  ASSERT_TRUE(first.isFound && first.failure);
  EXPECT_EQ(first.failure->iteration, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(first.failure->axis, 1u);
  EXPECT_EQ(first.failure->index, -1);
  EXPECT_EQ(first.failure->extent, 30);
}

TEST_F(First, none) {
  Form i = d.addLoop("i", {0}, {n});
  FirstFailure first = findFirstFailure(d, {{i, N}}, {30, 30});
  EXPECT_TRUE(first.isFound);
  EXPECT_FALSE(first.failure);
}

TEST_F(First, farAwayAtOnce) {
  int64_t large = std::numeric_limits<int64_t>::max();
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {i}, {n}, 3);
  FirstFailure first =
      findFirstFailure(d, {{j, N}}, {large, large / 2}, /*budget=*/10);
  ASSERT_TRUE(first.isFound && first.failure);
  EXPECT_EQ(first.failure->iteration[0], 0);
  EXPECT_EQ(first.failure->index, first.failure->iteration[1]);
  EXPECT_EQ(first.failure->index, (large / 2 + 2) / 3 * 3);
}

TEST_F(First, aSearchEnds) {
  Form i = d.addLoop("i", {0}, {n});
  d.require(isZero(d.remainder(i, 1000000007)));
  d.require(isAtMost(1, i));
  FirstFailure first =
      findFirstFailure(d, {{i, N}}, {1000000008, 5}, /*budget=*/1000);
  EXPECT_FALSE(first.isFound);
}

TEST_F(First, productsWithSymbols) {
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {n});
  FirstFailure first = findFirstFailure(d, {{i * n + j, N}}, {10, 57});
  ASSERT_TRUE(first.isFound && first.failure);
  EXPECT_EQ(first.failure->iteration, (std::vector<int64_t>{5, 7}));
}

} // namespace
