//===- InsideTest.cpp - conditions of nests that are written by hand ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Inside.h"

#include <gtest/gtest.h>

#include <limits>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

/// A domain with the symbols n and m and the extent N, which is not negative.
struct Nests : ::testing::Test {
  Domain d;
  Form n = d.addSymbol("n"), m = d.addSymbol("m"), N = d.addSymbol("N");

  void SetUp() override { d.assume(isAtMost(0, N)); }

  /// The condition for one subscript, or why there is none.
  std::string when(const Form &index, const Form &extent) {
    Inside inside = whenInside(d, {{index, extent}});
    return inside.condition ? inside.condition->print()
                            : describe(inside.limit);
  }
  std::string when(const Form &index) { return when(index, N); }
  std::string whenSurely(const Form &index) {
    Inside inside = whenSurelyInside(d, {{index, N}});
    return inside.condition ? inside.condition->print()
                            : describe(inside.limit);
  }
};

TEST_F(Nests, loop) {
  Form i = d.addLoop("i", {0}, {n});
  EXPECT_EQ(when(i), "-n + N >= 0");
  EXPECT_EQ(when(i - 1), "-n >= 0");
  EXPECT_EQ(when(i + 1), "-n >= 0 or -n + N - 1 >= 0");
}

// Three levels of tiles around each of three loops.
TEST_F(Nests, tilesOfTiles) {
  std::vector<Form> ends = {n, m, d.addSymbol("k")}, values(3, Form(0));
  for (int64_t size : {64, 16, 4, 1})
    for (size_t loop = 0; loop < 3; ++loop) {
      std::vector<Form> uppers = {ends[loop]};
      if (size < 64)
        uppers.push_back(values[loop] + 4 * size);
      values[loop] = d.addLoop("i", {values[loop]}, uppers, size);
    }
  EXPECT_EQ(when(values[0]), "-m >= 0 or -k >= 0 or -n + N >= 0");
}

TEST_F(Nests, aQuotientIsComparedAsAProduct) {
  Form i = d.addLoop("i", {0}, {d.floorDivide(n, 2)});
  EXPECT_EQ(when(i), "-n + 2*N + 1 >= 0");
}

TEST_F(Nests, provedByTheLoopsOwnBound) {
  EXPECT_EQ(when(d.addLoop("i", {0}, {N})), "true");
}

TEST_F(Nests, constants) {
  Form i = d.addLoop("i", {0}, {10});
  EXPECT_EQ(when(i, 10), "true");
  EXPECT_EQ(when(i, 9), "false");
  EXPECT_EQ(when(i - 1, 10), "false");
}

TEST_F(Nests, anEmptyLoopNeverFails) {
  EXPECT_EQ(when(d.addLoop("i", {0}, {0}) - 100), "true");
}

TEST_F(Nests, aTriangleIsNotItsBox) {
  Form i = d.addLoop("i", {0}, {n});
  Form j = d.addLoop("j", {0}, {i + 1});
  EXPECT_EQ(when(i - j), "-n + N >= 0");
  EXPECT_EQ(when(i + j), "-2*n + N + 1 >= 0");
}

TEST_F(Nests, aLoopThatRunsOnceNeedsWhatThatNeeds) {
  Form i = d.addLoop("i", {n}, {n + 1});
  EXPECT_EQ(when(i), "n >= 0 and -n + N - 1 >= 0");
}

TEST_F(Nests, minimaAndMaxima) {
  Form i = d.addLoop("i", {0, m}, {n, 100});
  EXPECT_EQ(when(i),
            "m - 100 >= 0 or N - 100 >= 0 or -n + m >= 0 or -n + N >= 0");
}

TEST_F(Nests, oneOfSomeNumbers) {
  Form i = d.addLoop("i", {0}, {n});
  // The least of i and m.
  Form least =
      d.addChoice("least", {{i, {isAtMost(i, m)}}, {m, {isLess(m, i)}}});
  EXPECT_EQ(when(least, m + 1), "-n >= 0 or m >= 0");
  EXPECT_EQ(when(least - i, 1), "-n >= 0 or -n + m + 1 >= 0");
}

TEST_F(Nests, oneOfSomeConditions) {
  Form i = d.addLoop("i", {0}, {100});
  d.requireOne({{isLess(i, 10)}, {isLess(89, i), isLess(i, m)}});
  EXPECT_EQ(when(i),
            "N - 10 >= 0 and (-m + 90 >= 0 or N - 100 >= 0 or -m + N >= 0)");
  d.requireOne({});
  EXPECT_EQ(when(i), "true");
}

TEST_F(Nests, aStepThatDoesNotDivide) {
  Form i = d.addLoop("i", {0}, {n}, 4);
  // With n = 1 the element 3 is needed.
  EXPECT_EQ(when(i + 3), "N - 4*((n + 3) floordiv 4) >= 0");
  // Of 0, 4, 8, ... the last one below n.
  EXPECT_EQ(when(i), "N - 4*((n + 3) floordiv 4) + 3 >= 0");
}

TEST_F(Nests, aStepFromTheGreatestOfTwo) {
  Form i = d.addLoop("i", {n, m}, {10}, 3);
  Inside inside = whenInside(d, {{i, N}});
  ASSERT_TRUE(inside.condition);
  // From 4: 4 and 7.
  EXPECT_EQ(inside.condition->evaluate({4, 2, 8}), true);
  EXPECT_EQ(inside.condition->evaluate({4, 2, 7}), false);
  EXPECT_EQ(inside.condition->evaluate({-1, 4, 8}), true);
  EXPECT_EQ(inside.condition->evaluate({-1, -2, 10}), false);
  EXPECT_EQ(inside.condition->evaluate({10, 0, 0}), true);
}

TEST_F(Nests, tiles) {
  Form ii = d.addLoop("ii", {0}, {n}, 32);
  Form i = d.addLoop("i", {ii}, {ii + 32, n});
  EXPECT_EQ(when(i), "-n + N >= 0");
}

TEST_F(Nests, tilesThatReachOver) {
  Form ii = d.addLoop("ii", {0}, {n}, 32);
  Form i = d.addLoop("i", {ii}, {ii + 32});
  EXPECT_EQ(when(i), "N - 32*((n + 31) floordiv 32) >= 0");
}

TEST_F(Nests, quotientsAndRemainders) {
  Form i = d.addLoop("i", {0}, {n});
  EXPECT_EQ(when(d.floorDivide(i, 8)), "-n + 8*N >= 0");
  EXPECT_EQ(when(d.ceilDivide(i, 8)), "-n >= 0 or -n + 8*N - 7 >= 0");
  EXPECT_EQ(when(d.remainder(i + m, 8), 8), "true");
  EXPECT_EQ(when(d.remainder(i, 8)), "N - 8 >= 0 or -n + N >= 0");
}

TEST_F(Nests, conditions) {
  Form i = d.addLoop("i", {0}, {n});
  d.require(isAtMost(1, i));
  EXPECT_EQ(when(i - 1), "-n + N + 1 >= 0");
}

TEST_F(Nests, theOtherBranch) {
  Form i = d.addLoop("i", {0}, {n});
  d.requireNot({isAtMost(1, i), isLess(i, m)});
  // i is 0, or at least m.
  Inside inside = whenInside(d, {{i - 1, N}});
  ASSERT_TRUE(inside.condition);
  EXPECT_EQ(inside.condition->evaluate({0, 5, 0}), true);
  EXPECT_EQ(inside.condition->evaluate({1, 5, 9}), false);
  EXPECT_EQ(when(i),
            "(-n >= 0 or N - 1 >= 0) and (-n + m >= 0 or -n + N >= 0)");
}

TEST_F(Nests, everySecondIteration) {
  Form i = d.addLoop("i", {0}, {n});
  d.require(isZero(d.remainder(i, 2)));
  EXPECT_EQ(when(i), "N - 2*((n + 1) floordiv 2) + 1 >= 0");
}

TEST_F(Nests, anEqualityOfTwoLoops) {
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {n});
  d.require(isZero(Form(3) * i - Form(2) * j - 1));
  // (1, 1), (3, 4), (5, 7), ...
  Inside inside = whenInside(d, {{i + j, N}});
  ASSERT_TRUE(inside.condition);
  EXPECT_EQ(inside.condition->evaluate({1, 0, 0}), true);
  EXPECT_EQ(inside.condition->evaluate({2, 0, 2}), false);
  EXPECT_EQ(inside.condition->evaluate({4, 0, 3}), true);
  EXPECT_EQ(inside.condition->evaluate({5, 0, 7}), false);
  EXPECT_EQ(inside.condition->evaluate({5, 0, 8}), true);
}

//===----------------------------------------------------------------------===//
// Products with symbols
//===----------------------------------------------------------------------===//

TEST_F(Nests, aMatrixInOneDimension) {
  d.assume(isAtMost(0, n));
  d.assume(isAtMost(0, m));
  Form i = d.addLoop("i", {0}, {m}), j = d.addLoop("j", {0}, {n});
  EXPECT_EQ(when(i * n + j), "N - n*m >= 0");
  EXPECT_EQ(when(i * n + j, m * n), "true");
}

TEST_F(Nests, aFactorOfEitherSign) {
  Form i = d.addLoop("i", {0}, {10});
  Inside inside = whenInside(d, {{i * n + m, N}});
  ASSERT_TRUE(inside.condition);
  for (int64_t by = -3; by <= 3; ++by)
    for (int64_t from = -30; from <= 30; ++from)
      EXPECT_EQ(inside.condition->evaluate({by, from, 28}),
                from >= 0 && from + 9 * by >= 0 && from < 28 &&
                    from + 9 * by < 28)
          << by << " " << from;
}

TEST_F(Nests, tilesOfASymbolicSize) {
  Form ii = d.addLoop("ii", {0}, {m});
  Form i = d.addLoop("i", {ii * n}, {ii * n + n});
  EXPECT_EQ(when(i), "-n >= 0 or N - n*m >= 0");
}

TEST_F(Nests, aWindow) {
  Form stride = d.addSymbol("s"), k = d.addSymbol("k");
  d.assume(isAtMost(1, stride));
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {k});
  EXPECT_EQ(when(i * stride + j), "-n >= 0 or -k >= 0 or N + s - k - n*s >= 0");
}

TEST_F(Nests, aProductOfLoopsHasNoAnswer) {
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {n});
  EXPECT_EQ(when(i * j), describe(Limit::Product));
}

TEST_F(Nests, aConditionOnTheSameProducts) {
  Form stride = d.addSymbol("s"), end = d.addSymbol("e");
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {m});
  Form at = i * stride + j;
  d.require(isNotNegative(at));
  d.require(isLess(at, end));
  EXPECT_EQ(when(at), describe(Limit::Product));
  EXPECT_EQ(whenSurely(at), "-n >= 0 or -m >= 0 or N - e >= 0");
  // Nothing bounds another product.
  EXPECT_EQ(whenSurely(i * n), describe(Limit::Product));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

TEST_F(Nests, overflow) {
  int64_t large = std::numeric_limits<int64_t>::max();
  Form i = d.addLoop("i", {0}, {n});
  EXPECT_EQ(when(Form(large) * i + Form(large) * i), describe(Limit::Overflow));
  EXPECT_EQ(when(Form::inexact()), describe(Limit::Overflow));
  // The largest coefficient itself is fine.
  EXPECT_EQ(when(Form(large) * i),
            "-9223372036854775807*n + N + 9223372036854775806 >= 0");
}

TEST_F(Nests, tooManyUnknowns) {
  Form sum = 0;
  for (int i = 0; i < 30; ++i)
    sum = sum + d.addLoop("i", {0}, {n});
  EXPECT_EQ(when(sum), describe(Limit::Unknowns));
}

TEST_F(Nests, tooManyCases) {
  Form i = d.addLoop("i", {0}, {n}), j = d.addLoop("j", {0}, {n});
  d.require(isAtMost(Form(1001) * i, Form(998) * j + m));
  d.require(isAtMost(Form(997) * j + n, Form(1003) * i));
  EXPECT_EQ(when(i + j), describe(Limit::Parts));
}

TEST_F(Nests, tooMuchWork) {
  Limits limits;
  limits.work = 3;
  Inside inside = whenInside(d, {{d.addLoop("i", {0}, {n}), N}}, limits);
  EXPECT_EQ(inside.limit, Limit::Work);
  EXPECT_FALSE(inside.condition);
}

TEST_F(Nests, valuesThatDoNotFit) {
  d.assume(isAtMost(0, n));
  d.assume(isAtMost(0, m));
  Form i = d.addLoop("i", {0}, {m}), j = d.addLoop("j", {0}, {n});
  Inside inside = whenInside(d, {{i * n + j, N}});
  ASSERT_TRUE(inside.condition);
  // Products of two words are exact.
  int64_t large = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(inside.condition->evaluate({large, large, large}), false);
}

} // namespace
