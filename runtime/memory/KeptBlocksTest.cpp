//===- KeptBlocksTest.cpp - small blocks that one owner keeps -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/KeptBlocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

using namespace broadloom;

namespace {

TEST(KeptBlocks, classesRoundUpAndInvert) {
  for (int64_t bytes = 0; bytes < 70000; ++bytes) {
    SizeClass size = sizeClassOf(bytes);
    ASSERT_GE(size.bytes, bytes);
    ASSERT_EQ(bytesOfClass(size.index), size.bytes);
    // Of the next smaller class, the request would not be a part.
    if (size.index > 0)
      ASSERT_LT(bytesOfClass(size.index - 1), bytes);
  }
  EXPECT_LT(sizeClassOf(int64_t(1) << 62).index, kNumSizeClasses);
}

#ifndef BROADLOOM_EXACT_BLOCKS
TEST(KeptBlocks, theNextRequestOfTheClassGetsTheBlock) {
  KeptBlocks blocks;
  void *small = blocks.allocate(100), *large = blocks.allocate(5000);
  ASSERT_TRUE(small && large);
  int64_t used = memoryUse().used;
  blocks.free(large, 5000);
  blocks.free(small, 100);
  EXPECT_EQ(memoryUse().used, used);
  EXPECT_EQ(blocks.allocate(65), small);
  EXPECT_EQ(blocks.allocate(4500), large);
  void *other = blocks.allocate(128);
  EXPECT_NE(other, small);
  EXPECT_GT(memoryUse().used, used);
  blocks.free(small, 65);
  blocks.free(large, 4500);
  blocks.free(other, 128);
}
#endif

TEST(KeptBlocks, keepsNoMoreThanItsBound) {
  int64_t before = memoryUse().used;
  {
    KeptBlocks blocks;
    std::vector<std::pair<void *, int64_t>> taken;
    for (int64_t bytes : {0, 1, 64, 200, 257, 3000, 16384, 16385, 1 << 20})
      for (int i = 0; i < 40; ++i) {
        void *memory = blocks.allocate(bytes);
        ASSERT_NE(memory, nullptr);
        memset(memory, i, size_t(bytes));
        taken.push_back({memory, bytes});
      }
    for (auto [memory, bytes] : taken)
      blocks.free(memory, bytes);
    EXPECT_LE(memoryUse().used, before + KeptBlocks::kMostBytes);
    blocks.giveBack();
    EXPECT_EQ(memoryUse().used, before);
    EXPECT_EQ(blocks.allocate(-1), nullptr);
    EXPECT_EQ(blocks.allocate(INT64_MAX), nullptr);
    blocks.free(blocks.allocate(10), 10);
  }
  EXPECT_EQ(memoryUse().used, before);
}

TEST(KeptBlocks, givesWayToALimit) {
  KeptBlocks blocks;
  std::vector<void *> taken;
  for (int i = 0; i < 3; ++i)
    taken.push_back(blocks.allocate(16384));
  int64_t before = setMemoryLimit(memoryUse().used + 1024);
  EXPECT_EQ(blocks.allocate(16384), nullptr);
  for (void *memory : taken)
    blocks.free(memory, 16384);
  void *all = blocks.allocate(3 * 16384);
  EXPECT_NE(all, nullptr);
  blocks.free(all, 3 * 16384);
  setMemoryLimit(before);
}

} // namespace
