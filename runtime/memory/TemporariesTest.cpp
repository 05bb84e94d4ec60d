//===- TemporariesTest.cpp - buffers with counts of references ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Temporaries.h"
#include "runtime/memory/Allocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

using namespace broadloom;

namespace {

TEST(Temporaries, freedWithTheLastReference) {
  int64_t before = memoryUse().used;
  Temporaries buffers;
  // Larger than the blocks that are kept.
  void *first = buffers.allocate(50000);
  ASSERT_NE(first, nullptr);
  int64_t one = memoryUse().used;
  void *second = buffers.allocate(100000);
  ASSERT_NE(second, nullptr);
  buffers.retain(second);
  buffers.release(second);
  memset(second, 1, 100000);
  buffers.release(second);
  EXPECT_EQ(memoryUse().used, one);
  // Neither again, nor what is no buffer.
  buffers.release(second);
  buffers.release(&buffers);
  buffers.retain(nullptr);
  buffers.release(nullptr);
  EXPECT_EQ(memoryUse().used, one);
  buffers.freeAll();
  EXPECT_LT(memoryUse().used, one);
  buffers.release(first);
  EXPECT_GE(memoryUse().used, before);
}

TEST(Temporaries, manyThatComeAndGo) {
  int64_t before = memoryUse().used;
  {
    Temporaries buffers;
    std::vector<std::pair<char *, char>> live;
    std::mt19937 random(7);
    for (int turn = 0; turn < 20000; ++turn) {
      if (live.empty() || random() % 100 < (turn < 10000 ? 60 : 45)) {
        char mark = char(random());
        auto *data = static_cast<char *>(buffers.allocate(1 + random() % 300));
        ASSERT_NE(data, nullptr);
        *data = mark;
        live.push_back({data, mark});
        continue;
      }
      size_t which = random() % live.size();
      // Nobody else has been given the memory in the meantime.
      ASSERT_EQ(*live[which].first, live[which].second);
      buffers.release(live[which].first);
      live[which] = live.back();
      live.pop_back();
    }
    for (auto [data, mark] : live)
      EXPECT_EQ(*data, mark);
  }
  EXPECT_EQ(memoryUse().used, before);
}

TEST(Memory, theLimitHolds) {
  int64_t used = memoryUse().used;
  int64_t before = setMemoryLimit(used + 4096);
  void *first = allocateMemory(2048);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(allocateMemory(4096), nullptr);
  EXPECT_EQ(setMemoryLimit(before), used + 4096);
  void *second = allocateMemory(4096);
  EXPECT_NE(second, nullptr);
  restartPeak();
  freeMemory(first, 2048);
  freeMemory(second, 4096);
  EXPECT_EQ(memoryUse().used, used);
  EXPECT_GE(memoryUse().peak, used + 2048 + 4096);
  restartPeak();
  EXPECT_EQ(memoryUse().peak, used);
}

} // namespace
