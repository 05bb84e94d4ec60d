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
  // Ten programs, each launched by ten steps and by none.
  std::vector<BroadloomProgram> programs(10);
  std::vector<int32_t> steps(10);
  std::vector<LaunchPlans::Key> keys;
  for (const BroadloomProgram &program : programs) {
    keys.push_back({&program, nullptr});
    for (const int32_t &step : steps)
      keys.push_back({&program, &step});
  }
  std::vector<int64_t *> blocks;
  for (const LaunchPlans::Key &key : keys) {
    auto *block = static_cast<int64_t *>(plans.find(key, 96));
    ASSERT_NE(block, nullptr);
    for (int i = 0; i < 12; ++i)
      ASSERT_EQ(block[i], 0);
    block[0] = 1 + int64_t(blocks.size());
    blocks.push_back(block);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(plans.find(keys[i], 96), blocks[i]);
    EXPECT_EQ(blocks[i][0], 1 + int64_t(i));
  }
  auto *other = static_cast<int64_t *>(plans.find(keys[7], 104));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other[0], 0);
  EXPECT_EQ(plans.find(keys[7], 104), other);
  EXPECT_EQ(plans.find(keys[8], 96), blocks[8]);
  plans.clear();
  EXPECT_EQ(memoryUse().used, before);
  EXPECT_EQ(*static_cast<int64_t *>(plans.find(keys[8], 96)), 0);
}

TEST(LaunchPlans, withoutMemory) {
  LaunchPlans plans;
  BroadloomProgram program;
  int32_t steps[2];
  LaunchPlans::Key first = {&program, steps}, second = {&program, steps + 1};
  int64_t limit = setMemoryLimit(0);
  EXPECT_EQ(plans.find(first, 96), nullptr);
  setMemoryLimit(limit);
  void *block = plans.find(first, 96);
  EXPECT_NE(block, nullptr);
  setMemoryLimit(0);
  EXPECT_EQ(plans.find(second, 96), nullptr);
  EXPECT_EQ(plans.find(first, 104), nullptr);
  // What was planned stays.
  EXPECT_EQ(plans.find(first, 96), block);
  setMemoryLimit(limit);
}

} // namespace
