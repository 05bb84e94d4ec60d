//===- MemoryPlanTest.cpp - where values are while they live --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/MemoryPlan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace broadloom::codegen;

namespace {

/// Checks the plan, by comparing every two values.
void check(const std::vector<LiveRange> &ranges, const MemoryPlan &plan) {
  ASSERT_EQ(plan.offsets.size(), ranges.size());
  EXPECT_GE(plan.size, plan.leastSize);
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % MemoryPlan::kAlignment, 0);
    EXPECT_GE(plan.offsets[i], 0);
    EXPECT_LE(plan.offsets[i] + ranges[i].bytes, plan.size);
    for (size_t j = 0; j < i; ++j) {
      if (ranges[i].begin > ranges[j].end || ranges[j].begin > ranges[i].end)
        continue;
      EXPECT_TRUE(plan.offsets[i] + ranges[i].bytes <= plan.offsets[j] ||
                  plan.offsets[j] + ranges[j].bytes <= plan.offsets[i])
          << i << " and " << j;
    }
  }
}

std::vector<LiveRange> makeRanges(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  std::vector<LiveRange> ranges;
  for (size_t i = 0; i < count; ++i) {
    int64_t begin = int64_t(i) / 2;
    ranges.push_back(
        {begin, begin + int64_t(random() % 9), 1 + int64_t(random() % 5000)});
  }
  return ranges;
}

TEST(MemoryPlan, nothing) {
  MemoryPlan plan = planMemory({});
  EXPECT_EQ(plan.size, 0);
  EXPECT_TRUE(plan.offsets.empty());
}

TEST(MemoryPlan, aChainTakesTwoPieces) {
  std::vector<LiveRange> ranges;
  for (int64_t i = 0; i < 100; ++i)
    ranges.push_back({i, i + 1, 1000});
  MemoryPlan plan = planMemory(ranges);
  check(ranges, plan);
  EXPECT_EQ(plan.size, 2 * 1024);
  EXPECT_EQ(plan.leastSize, 2 * 1024);
}

TEST(MemoryPlan, whatIsReadWhenAnotherIsMadeDoesNotOverlapIt) {
  MemoryPlan plan = planMemory({{0, 5, 64}, {5, 6, 64}, {6, 7, 64}});
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
  EXPECT_NE(plan.offsets[1], plan.offsets[2]);
  EXPECT_EQ(plan.size, 128);
}

/// In the order of the program, and the largest first, the third does not find
/// a gap.
TEST(MemoryPlan, severalOrdersAreTried) {
  std::vector<LiveRange> ranges = {{0, 1, 64},  {0, 3, 128}, {2, 4, 192},
                                   {4, 6, 128}, {5, 8, 64},  {5, 9, 192}};
  MemoryPlan plan = planMemory(ranges);
  check(ranges, plan);
  EXPECT_EQ(plan.size, plan.leastSize);
}

TEST(MemoryPlan, randomRanges) {
  int64_t best = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    auto ranges = makeRanges(seed, 1 + seed % 60);
    MemoryPlan plan = planMemory(ranges);
    check(ranges, plan);
    EXPECT_LE(plan.size, plan.leastSize + plan.leastSize / 4);
    best += plan.size == plan.leastSize;
    EXPECT_EQ(planMemory(ranges).offsets, plan.offsets);
  }
  EXPECT_GE(best, 120);
}

TEST(MemoryPlan, manyRanges) {
  auto ranges = makeRanges(1, 100000);
  MemoryPlan plan = planMemory(ranges);
  EXPECT_LE(plan.size, 2 * plan.leastSize);
  ranges.resize(3000);
  check(ranges, planMemory(ranges));
}

} // namespace
