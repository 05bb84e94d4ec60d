//===- LaunchPlansTest.cpp - plans that a call keeps ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LaunchPlans.h"
#include "runtime/memory/Allocator.h"

#include <gtest/gtest.h>

#include <vector>

using namespace broadloom;

namespace {

TEST(LaunchPlans, aBlockForEachLaunchAndSize) {
  int64_t before = memoryUse().used;
  LaunchPlans plans;
  std::vector<int32_t> launches(100);
  std::vector<int64_t *> blocks;
  for (const int32_t &launch : launches) {
    auto *block = static_cast<int64_t *>(plans.find(&launch, 96));
    ASSERT_NE(block, nullptr);
    for (int i = 0; i < 12; ++i)
      ASSERT_EQ(block[i], 0);
    block[0] = 1 + int64_t(blocks.size());
    blocks.push_back(block);
  }
  for (size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(plans.find(&launches[i], 96), blocks[i]);
    EXPECT_EQ(blocks[i][0], 1 + int64_t(i));
  }
  auto *other = static_cast<int64_t *>(plans.find(&launches[7], 104));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other[0], 0);
  EXPECT_EQ(plans.find(&launches[7], 104), other);
  EXPECT_EQ(plans.find(&launches[8], 96), blocks[8]);
  plans.clear();
  EXPECT_EQ(memoryUse().used, before);
  EXPECT_EQ(*static_cast<int64_t *>(plans.find(&launches[8], 96)), 0);
}

TEST(LaunchPlans, withoutMemory) {
  LaunchPlans plans;
  int32_t first = 0, second = 0;
  int64_t limit = setMemoryLimit(0);
  EXPECT_EQ(plans.find(&first, 96), nullptr);
  setMemoryLimit(limit);
  void *block = plans.find(&first, 96);
  EXPECT_NE(block, nullptr);
  setMemoryLimit(0);
  EXPECT_EQ(plans.find(&second, 96), nullptr);
  EXPECT_EQ(plans.find(&first, 104), nullptr);
  // What was planned stays.
  EXPECT_EQ(plans.find(&first, 96), block);
  setMemoryLimit(limit);
}

} // namespace
