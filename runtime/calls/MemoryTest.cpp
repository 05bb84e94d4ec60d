//===- MemoryTest.cpp - allocator, arena and tensors ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Descriptors.h"
#include "runtime/calls/Invoke.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/SizeClass.h"
#include "runtime/memory/SystemMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

using namespace broadloom;

namespace {

TEST(Allocator, blocksAreAlignedAndUsable) {
  std::vector<std::pair<char *, int64_t>> blocks;
  for (int64_t bytes = 0; bytes < (int64_t(40) << 20);
       bytes = bytes * 3 / 2 + 1) {
    char *block = static_cast<char *>(allocateMemory(bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kMemoryAlignment, 0u);
    memset(block, int(blocks.size()), size_t(bytes));
    blocks.push_back({block, bytes});
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto [block, bytes] = blocks[i];
    if (bytes) {
      EXPECT_EQ(block[0], char(i));
      EXPECT_EQ(block[bytes - 1], char(i));
    }
    freeMemory(block, bytes);
  }
}

TEST(Allocator, moreThanTheMachineHas) {
  EXPECT_EQ(allocateMemory(-1), nullptr);
  EXPECT_EQ(allocateMemory(INT64_MAX), nullptr);
  EXPECT_EQ(allocateMemory(int64_t(1) << 50), nullptr);
  EXPECT_EQ(allocateMemory(totalMemory() * 2), nullptr);
}

#ifndef BROADLOOM_EXACT_BLOCKS
TEST(Allocator, freedBlocksAreUsedAgainUntilTrimmed) {
  broadloomTrim();
  EXPECT_EQ(memoryUse().cached, 0);
  int64_t used = memoryUse().used;
  void *block = allocateMemory(int64_t(5) << 20);
  EXPECT_EQ(memoryUse().used, used + (int64_t(5) << 20));
  freeMemory(block, int64_t(5) << 20);
  EXPECT_EQ(memoryUse().cached, int64_t(5) << 20);
  void *again = allocateMemory((int64_t(5) << 20) - 100);
  EXPECT_EQ(again, block);
  freeMemory(again, (int64_t(5) << 20) - 100);
  broadloomTrim();
  EXPECT_EQ(memoryUse().cached, 0);
  EXPECT_EQ(memoryUse().used, used);
}

TEST(Allocator, keepsNoMoreThanItsBound) {
  broadloomTrim();
  const int64_t bound = std::max<int64_t>(totalMemory() / 8, int64_t(64) << 20);
  // Half as much again; of what is not written to there are no pages.
  const int64_t bytes = bound / 8;
  if (availableMemory() < 2 * bound)
    GTEST_SKIP() << "needs " << 2 * bound << " bytes of free memory";
  std::vector<void *> blocks;
  for (int i = 0; i < 12; ++i) {
    blocks.push_back(allocateMemory(bytes));
    ASSERT_NE(blocks.back(), nullptr);
  }
  for (void *block : blocks)
    freeMemory(block, bytes);
  EXPECT_LE(memoryUse().cached, bound);
  EXPECT_GT(memoryUse().cached, bound / 2);
  broadloomTrim();
  EXPECT_EQ(memoryUse().cached, 0);
}
#endif

struct CountedMemory {
  int blocks = 0;
  bool isAligned = true;

  static void *allocate(void *context, size_t bytes, size_t alignment) {
    auto &counted = *static_cast<CountedMemory *>(context);
    void *memory = aligned_alloc(alignment, bytes);
    ++counted.blocks;
    counted.isAligned &= reinterpret_cast<uintptr_t>(memory) % alignment == 0;
    return memory;
  }
  static void release(void *context, void *memory, size_t) {
    --static_cast<CountedMemory *>(context)->blocks;
    free(memory);
  }
};

TEST(Allocator, aHostsOwn) {
  CountedMemory counted;
  BroadloomAllocator own{CountedMemory::allocate, CountedMemory::release,
                         &counted};
  void *before = allocateMemory(1000);
  EXPECT_EQ(broadloomSetAllocator(&own), BROADLOOM_INVALID_ARGUMENT)
      << "a block of the system's would go back to the host";
  freeMemory(before, 1000);
  BroadloomAllocator half{CountedMemory::allocate, nullptr, &counted};
  EXPECT_EQ(broadloomSetAllocator(&half), BROADLOOM_INVALID_ARGUMENT);
  ASSERT_EQ(broadloomSetAllocator(&own), BROADLOOM_OK);
  void *small = allocateMemory(64), *large = allocateMemory(int64_t(3) << 20);
  EXPECT_EQ(counted.blocks, 2);
  EXPECT_TRUE(counted.isAligned);
  EXPECT_EQ(broadloomSetAllocator(nullptr), BROADLOOM_INVALID_ARGUMENT);
  freeMemory(small, 64);
  freeMemory(large, int64_t(3) << 20);
  EXPECT_EQ(broadloomSetAllocator(nullptr), BROADLOOM_OK);
  EXPECT_EQ(counted.blocks, 0);
}

TEST(Allocator, fromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([thread] {
      for (int64_t i = 0; i < 2000; ++i) {
        int64_t bytes = (i * 37) % 5000 + 1;
        char *block = static_cast<char *>(allocateMemory(bytes));
        memset(block, thread, size_t(bytes));
        ASSERT_EQ(block[bytes / 2], char(thread));
        freeMemory(block, bytes);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Arena, rewindsToAMark) {
  MemoryUse before = memoryUse();
  {
    Arena arena;
    char *first = static_cast<char *>(arena.allocate(100));
    memset(first, 1, 100);
    Arena::Mark mark = arena.mark();
    char *second = static_cast<char *>(arena.allocate(100));
    for (int64_t bytes : {int64_t(0), int64_t(30000), int64_t(60000),
                          int64_t(70000), int64_t(3) << 20}) {
      char *block = static_cast<char *>(arena.allocate(bytes));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kMemoryAlignment, 0u);
      memset(block, 2, size_t(bytes));
    }
    EXPECT_EQ(first[99], 1);
    arena.rewind(mark);
    EXPECT_EQ(arena.allocate(100), second);
    arena.reset();
    EXPECT_EQ(arena.allocate(100), first);
    EXPECT_EQ(arena.allocate(-1), nullptr);
    EXPECT_EQ(arena.allocate(INT64_MAX), nullptr);
    EXPECT_EQ(arena.array<int64_t>(INT64_MAX / 4), nullptr);
  }
  EXPECT_EQ(memoryUse().used, before.used);
}

TEST(Descriptors, equalOnesAreKeptOnce) {
  Descriptors descriptors;
  constexpr int64_t kRank = 2;
  std::vector<int64_t> words(size_t(descriptorBytes(kRank)) / sizeof(int64_t));
  auto *own = reinterpret_cast<BroadloomDescriptor *>(words.data());
  std::vector<void *> kept;
  for (int round = 0; round < 3; ++round)
    for (int64_t i = 0; i < 100; ++i) {
      own->dims[0] = i;
      BroadloomView view{i % 2 ? kRank : 0, own};
      ASSERT_TRUE(descriptors.keep(view));
      ASSERT_NE(view.descriptor, own);
      if (round == 0)
        kept.push_back(view.descriptor);
      EXPECT_EQ(view.descriptor, kept[size_t(i)]);
      EXPECT_EQ(view.rank, i % 2 ? kRank : 0);
    }
  // Of rank 0 there is one.
  EXPECT_EQ(descriptors.size(), 51);
  EXPECT_EQ(kept[0], kept[2]);
  EXPECT_NE(kept[1], kept[3]);
  EXPECT_EQ(static_cast<BroadloomDescriptor *>(kept[97])->dims[0], 97);
  descriptors.reset();
  EXPECT_EQ(descriptors.size(), 0);
}

TEST(Arena, aMarkBeforeAnythingWasTaken) {
  Arena arena;
  Arena::Mark mark = arena.mark();
  void *first = arena.allocate(10);
  arena.rewind(mark);
  EXPECT_EQ(arena.allocate(10), first);
}

TEST(Tensor, createAndRelease) {
  int64_t extents[] = {4, 0, 3};
  BroadloomTensor tensor;
  ASSERT_EQ(broadloomTensorCreate(BROADLOOM_BF16, 3, extents, &tensor),
            BROADLOOM_OK);
  EXPECT_EQ(broadloomTensorCount(&tensor), 0);
  EXPECT_NE(tensor.data, nullptr);
  broadloomTensorRelease(&tensor);
  EXPECT_EQ(tensor.data, nullptr);
  broadloomTensorRelease(&tensor);

  int64_t negative[] = {4, -1};
  EXPECT_EQ(broadloomTensorCreate(BROADLOOM_F32, 2, negative, &tensor),
            BROADLOOM_INVALID_ARGUMENT);
  int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_EQ(broadloomTensorCreate(BROADLOOM_F32, 2, huge, &tensor),
            BROADLOOM_OUT_OF_MEMORY);
  int64_t large[] = {int64_t(1) << 50};
  EXPECT_EQ(broadloomTensorCreate(BROADLOOM_F32, 1, large, &tensor),
            BROADLOOM_OUT_OF_MEMORY);
  EXPECT_EQ(broadloomTensorCreate(BROADLOOM_F32, 33, large, &tensor),
            BROADLOOM_INVALID_ARGUMENT);
  broadloomTensorRelease(&tensor);
}

TEST(Tensor, typesHaveNamesAndSizes) {
  EXPECT_STREQ(broadloomElementTypeName(BROADLOOM_F8E4M3FN), "f8E4M3FN");
  EXPECT_STREQ(broadloomElementTypeName(BROADLOOM_U16), "ui16");
  EXPECT_EQ(broadloomElementBytes(BROADLOOM_I1), 1);
  EXPECT_EQ(broadloomElementBytes(BROADLOOM_BF16), 2);
  EXPECT_EQ(broadloomElementBytes(BROADLOOM_U64), 8);
}

} // namespace
