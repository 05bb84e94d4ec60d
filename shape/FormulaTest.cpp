//===- FormulaTest.cpp - tests of the formula on concrete extents ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace broadloom;

namespace {

// bcast-2 and ext-3, at compile time: the formula needs no run.
static_assert(broadcastExtents(1, 1) == 1);
static_assert(broadcastExtents(1, 7) == 7 && broadcastExtents(7, 1) == 7);
static_assert(broadcastExtents(7, 7) == 7);
static_assert(broadcastExtents(3, 2) == kIncompatible);
static_assert(broadcastExtents(1, 0) == 0 && broadcastExtents(0, 1) == 0);
static_assert(broadcastExtents(0, 0) == 0);
static_assert(broadcastExtents(0, 2) == kIncompatible);
static_assert(broadcastExtents(2, 0) == kIncompatible);

constexpr int64_t rankOfLiterals() {
  int64_t a[] = {4, 1, 3}, b[] = {5, 1}, result[3] = {};
  ExtentSpan operands[] = {{a, 3}, {b, 2}};
  if (!broadcastSpans(operands, 2, result))
    return -1;
  return result[0] * 100 + result[1] * 10 + result[2];
}
static_assert(rankOfLiterals() == 453);

/// The formula may also emit text: one formula, many evaluations.
struct TextOps {
  std::string one() const { return "1"; }
  std::string equal(std::string a, std::string b) const { return a + "==" + b; }
  std::string either(std::string p, std::string q) const {
    return "(" + p + "|" + q + ")";
  }
  std::string select(std::string p, std::string a, std::string b) const {
    return p + "?" + a + ":" + b;
  }
};

TEST(Formula, emitsFromOneText) {
  std::string a = "a", b = "b";
  EXPECT_EQ(compatibleFormula(TextOps{}, a, b), "(a==b|(a==1|b==1))");
  EXPECT_EQ(joinFormula(TextOps{}, a, b), "a==1?b:a");
}

using Extents = std::vector<int64_t>;

struct Outcome {
  bool good;
  Extents result;
  Conflict conflict;
};

Outcome run(const std::vector<Extents> &operands) {
  std::vector<ExtentSpan> spans;
  for (const Extents &extents : operands)
    spans.push_back({extents.data(), static_cast<int64_t>(extents.size())});
  Outcome outcome;
  outcome.result.resize(
      static_cast<size_t>(broadcastRank(spans.data(), spans.size())), -7);
  outcome.good = broadcastSpans(spans.data(), spans.size(),
                                outcome.result.data(), &outcome.conflict);
  return outcome;
}

TEST(Formula, bcast3_differentRanks) {
  EXPECT_EQ(run({{4}, {2, 3, 4}}).result, (Extents{2, 3, 4}));
  EXPECT_EQ(run({{}, {2, 0}}).result, (Extents{2, 0}));
  EXPECT_EQ(run({{}, {}}).result, Extents{});
  EXPECT_TRUE(run({{}, {}}).good);
  EXPECT_TRUE(run({}).good);
}

TEST(Formula, bcast4_manyOperands) {
  Outcome outcome = run({{1}, {5, 1, 1}, {1, 4, 1}, {}, {3}, {5, 4, 3}});
  EXPECT_TRUE(outcome.good);
  EXPECT_EQ(outcome.result, (Extents{5, 4, 3}));
}

TEST(Formula, verify1_namesAxisAndOperands) {
  Outcome outcome = run({{1, 1}, {3}, {4, 1, 1}, {7, 2}, {2}});
  ASSERT_FALSE(outcome.good);
  EXPECT_EQ(outcome.conflict.axis, 2);
  EXPECT_EQ(outcome.conflict.resultRank, 3);
  EXPECT_EQ(outcome.conflict.first, 1);
  EXPECT_EQ(outcome.conflict.second, 3);
  EXPECT_EQ(outcome.conflict.firstExtent, 3);
  EXPECT_EQ(outcome.conflict.secondExtent, 2);
  // Every extent is written all the same.
  EXPECT_EQ(outcome.result, (Extents{4, 7, 3}));
}

TEST(Formula, verify1_firstAxisFirst) {
  Outcome outcome = run({{2, 3, 4}, {3, 4}, {5, 3, 7}});
  ASSERT_FALSE(outcome.good);
  EXPECT_EQ(outcome.conflict.axis, 0);
  EXPECT_EQ(outcome.conflict.first, 0);
  EXPECT_EQ(outcome.conflict.second, 2);
}

TEST(Formula, rank32WithoutResult) {
  Extents a(32, 1), b(32, 2);
  ExtentSpan spans[] = {{a.data(), 32}, {b.data(), 32}};
  EXPECT_TRUE(broadcastSpans(spans, 2, nullptr));
  b[31] = 3;
  a[31] = 2;
  Conflict conflict;
  EXPECT_FALSE(broadcastSpans(spans, 2, nullptr, &conflict));
  EXPECT_EQ(conflict.axis, 31);
}

TEST(Formula, bcast5_everyTripleOnOneAxisInEveryOrder) {
  for (int64_t a = 0; a <= 4; ++a)
    for (int64_t b = 0; b <= 4; ++b)
      for (int64_t c = 0; c <= 4; ++c) {
        Extents sorted = {a, b, c};
        std::sort(sorted.begin(), sorted.end());
        Outcome first = run({{sorted[0]}, {sorted[1]}, {sorted[2]}});
        Outcome other = run({{a}, {b}, {c}});
        EXPECT_EQ(first.good, other.good) << a << b << c;
        if (first.good)
          EXPECT_EQ(first.result, other.result) << a << b << c;
      }
}

} // namespace
