//===- ArrayLayoutTest.cpp ------------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/ArrayLayout.h"

#include "gtest/gtest.h"

using namespace broadloom;

namespace {

struct Arrays {
  Arrays(int64_t count, ArrayLayout &layout)
      : flags(layout.take<bool>(count)), numbers(layout.take<int64_t>(count)),
        buffer(layout.takeBuffer(count)) {}

  bool *flags;
  int64_t *numbers;
  char *buffer;
};

TEST(ArrayLayout, ArraysAreAlignedAndFitInWhatWasMeasured) {
  alignas(kMemoryAlignment) char memory[1024];
  for (int64_t count : {0, 1, 7, 8, 64}) {
    ArrayLayout layout(memory);
    Arrays arrays(count, layout);
    auto at = [&](void *array) { return static_cast<char *>(array) - memory; };
    EXPECT_EQ(at(arrays.flags), 0);
    EXPECT_GE(at(arrays.numbers), count);
    EXPECT_EQ(at(arrays.numbers) % 8, 0);
    EXPECT_GE(at(arrays.buffer), at(arrays.numbers) + 8 * count);
    EXPECT_EQ(at(arrays.buffer) % kMemoryAlignment, 0);
    EXPECT_GE(layout.bytes(), at(arrays.buffer) + count);
    EXPECT_EQ(bytesOf<Arrays>(count), layout.bytes());
  }
}

TEST(ArrayLayout, BlocksOfThreadsShareNoCacheLine) {
  for (int64_t bytes : {0, 1, 63, 64, 4096}) {
    EXPECT_GE(threadPitch(bytes), bytes);
    EXPECT_EQ(threadPitch(bytes) % kMemoryAlignment, 0);
  }
}

} // namespace
