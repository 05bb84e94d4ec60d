//===- BufferLayoutTest.cpp -----------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/BufferLayout.h"

#include "gtest/gtest.h"

using namespace broadloom;

TEST(BufferLayout, BuffersAreAlignedAndApart) {
  BufferLayout layout(/*shifts=*/false);
  EXPECT_EQ(layout.place(1), 0);
  EXPECT_EQ(layout.place(kMemoryAlignment), kMemoryAlignment);
  EXPECT_EQ(layout.place(0), 2 * kMemoryAlignment);
  EXPECT_EQ(layout.bytes(), 2 * kMemoryAlignment);
}

/// Buffers of 4 KiB do not begin at the same offset in a page.
TEST(BufferLayout, EqualBuffersAreShifted) {
  BufferLayout layout;
  int64_t first = layout.place(4096), second = layout.place(4096);
  EXPECT_NE((second - first) % 4096, 0);
  EXPECT_EQ(second % 64, 0);
}

TEST(BufferLayout, PitchesAreNoPowersOfTwo) {
  for (int64_t count = 256; count <= 4096; count *= 2)
    EXPECT_NE(blockPitch(count) & (blockPitch(count) - 1), 0);
}
