//===- ImplicationTest.cpp - what follows from rows -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Implication.h"

#include <gtest/gtest.h>

#include <random>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

struct Implication : ::testing::Test {
  Space space;
  Form a = space.addSymbol("a"), b = space.addSymbol("b"),
       c = space.addSymbol("c");
};

TEST_F(Implication, chains) {
  Rows rows = {isAtMost(a, b), isAtMost(b, c)};
  EXPECT_TRUE(proves(space, rows, isAtMost(a, c)));
  EXPECT_FALSE(proves(space, rows, isLess(a, c)));
  rows.push_back(isAtMost(c, a));
  EXPECT_TRUE(proves(space, rows, isZero(a - c)));
}

TEST_F(Implication, integersAreNotRationals) {
  EXPECT_TRUE(
      provesEmpty(space, {isAtMost(1, Form(2) * a), isAtMost(Form(2) * a, 1)}));
  EXPECT_TRUE(provesEmpty(space, {isZero(Form(2) * a - Form(4) * b - 1)}));
  EXPECT_FALSE(provesEmpty(space, {isZero(Form(2) * a + 2)}));
}

TEST_F(Implication, quotientsAreDefined) {
  Form half = space.floorDivide(a, 2);
  EXPECT_TRUE(proves(space, {}, isAtMost(half + half, a)));
  EXPECT_TRUE(proves(space, {isAtMost(2, a)}, isAtMost(1, half)));
}

TEST_F(Implication, productsFollowFromRanges) {
  Rows rows = {isAtMost(0, a), isAtMost(0, b)};
  EXPECT_TRUE(proves(space, rows, isAtMost(0, a * b)));
  rows.push_back(isAtMost(1, a * b));
  EXPECT_TRUE(proves(space, rows, isAtMost(1, a)));
  EXPECT_FALSE(proves(space, rows, isAtMost(2, a)));
}

TEST_F(Implication, simplify) {
  Rows rows = {isAtMost(1, a), isLess(b, a)};
  EXPECT_TRUE(simplify(space, {isAtMost(0, b)}, rows));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(space.print(rows[0]), "a - b - 1 >= 0");
  rows = {isLess(b, 0)};
  EXPECT_FALSE(simplify(space, {isAtMost(0, b)}, rows));
}

/// A proof is never wrong: random rows against all small points.
TEST_F(Implication, randomRows) {
  std::mt19937 random(1);
  auto pick = [&](int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(random);
  };
  Form quotients[] = {space.floorDivide(a + b, 2), space.floorDivide(c, 3)};
  unsigned proofs = 0;
  for (int round = 0; round < 20000; ++round) {
    Rows rows;
    for (int64_t i = 0, count = pick(2, 6); i < count; ++i) {
      Form form = pick(-4, 4);
      for (const Form &part : {a, b, c, quotients[0], quotients[1], a * b})
        if (pick(0, 1))
          form = form + Form(pick(-3, 3)) * part;
      rows.push_back({form, pick(0, 3) == 0});
    }
    if (!provesEmpty(space, rows))
      continue;
    ++proofs;
    for (int64_t x = -4; x <= 4; ++x)
      for (int64_t y = -4; y <= 4; ++y)
        for (int64_t z = -4; z <= 4; ++z) {
          bool holds = true;
          for (const Row &row : rows) {
            __int128 value = *space.evaluate(row.form, {x, y, z});
            holds &= row.isZero ? value == 0 : value >= 0;
          }
          ASSERT_FALSE(holds) << round << ": " << x << " " << y << " " << z;
        }
  }
  EXPECT_GT(proofs, 1000u);
}

} // namespace
