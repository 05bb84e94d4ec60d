//===- RowsTest.cpp - staging and streaming against plain loops -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Rows.h"
#include "runtime/memory/Block.h"
#include "runtime/memory/Stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace broadloom;

namespace {

constexpr size_t kFence = 64;
constexpr char kUntouched = 0x5a;

/// Bytes that are all different from their neighbours'.
std::vector<char> source(size_t bytes) {
  std::vector<char> data(bytes);
  for (size_t i = 0; i < bytes; ++i)
    data[i] = char(i * 31 + i / 251);
  return data;
}

/// A target of `bytes` bytes between two fences.
struct Target {
  explicit Target(size_t bytes) : data(bytes + 2 * kFence, kUntouched) {}
  char *begin() { return data.data() + kFence; }
  bool fencesHold() const {
    for (size_t i = 0; i < kFence; ++i)
      if (data[i] != kUntouched || data[data.size() - 1 - i] != kUntouched)
        return false;
    return true;
  }
  std::vector<char> data;
};

TEST(Rows, splatsAndCopiesExactly) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (int64_t rows : {1, 2, 15, 16, 17, 100})
      for (int64_t length : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 31, 33, 64, 129})
        for (int64_t stride : {0, 1, 3, -1, int(length)}) {
          SCOPED_TRACE(testing::Message() << bytes << " bytes, " << rows << "x"
                                          << length << ", stride " << stride);
          // Exactly what is read; the sanitizer sees anything beyond it.
          int64_t reach = (rows - 1) * std::abs(stride);
          std::vector<char> splat = source(size_t((reach + 1) * bytes));
          std::vector<char> copied = source(size_t((reach + length) * bytes));
          int64_t first = stride < 0 ? reach : 0;
          size_t size = size_t(rows * length * bytes);
          Target splatTo(size);
          splatRows(splatTo.begin(), splat.data() + first * bytes, rows, length,
                    stride, bytes);
          ASSERT_TRUE(splatTo.fencesHold());
          for (int64_t row = 0; row < rows; ++row)
            for (int64_t i = 0; i < length; ++i)
              ASSERT_EQ(memcmp(splatTo.begin() + (row * length + i) * bytes,
                               splat.data() + (first + row * stride) * bytes,
                               size_t(bytes)),
                        0);
          for (int64_t gap : {0, 1, 5}) {
            int64_t pitch = length + gap;
            Target to(size_t(((rows - 1) * pitch + length) * bytes));
            copyRows(to.begin(), pitch, copied.data() + first * bytes, stride,
                     rows, length, bytes);
            ASSERT_TRUE(to.fencesHold());
            for (int64_t row = 0; row < rows; ++row) {
              const char *at = to.begin() + row * pitch * bytes;
              ASSERT_EQ(memcmp(at,
                               copied.data() + (first + row * stride) * bytes,
                               size_t(length * bytes)),
                        0);
              if (row + 1 < rows)
                ASSERT_TRUE(std::all_of(at + length * bytes, at + pitch * bytes,
                                        [](char c) { return c == kUntouched; }))
                    << "gap " << gap;
            }
          }
        }
}

TEST(Block, gathersExactly) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (int64_t rows : {1, 3, 16, 17, 40})
      for (int64_t columns : {1, 5, 16, 33, 64, 65, 130})
        for (int64_t rowStride : {1, 2, -3, 70})
          for (int64_t columnStride : {1, 50, 67, -50, 0}) {
            SCOPED_TRACE(testing::Message()
                         << bytes << " bytes, " << rows << "x" << columns
                         << ", strides " << rowStride << ", " << columnStride);
            int64_t low = 0, high = 0;
            for (int64_t reach :
                 {(rows - 1) * rowStride, (columns - 1) * columnStride})
              (reach < 0 ? low : high) += reach;
            std::vector<char> from = source(size_t((high - low + 1) * bytes));
            const char *first = from.data() - low * bytes;
            int64_t pitch = columns + 3;
            size_t size = size_t(((rows - 1) * pitch + columns) * bytes);
            Target to(size);
            gatherBlock(to.begin(), pitch, first, rowStride, columnStride, rows,
                        columns, bytes);
            ASSERT_TRUE(to.fencesHold());
            for (int64_t row = 0; row < rows; ++row)
              for (int64_t column = 0; column < columns; ++column)
                ASSERT_EQ(
                    memcmp(to.begin() + (row * pitch + column) * bytes,
                           first + (row * rowStride + column * columnStride) *
                                       bytes,
                           size_t(bytes)),
                    0)
                    << "row " << row << ", column " << column;
          }
}

/// A few consecutive arrays become one, with elements in turns, and the other
/// way round.
TEST(Block, interleavesExactly) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (int64_t arrays : {2, 3, 4, 5})
      for (int64_t count : {1, 3, 4, 7, 8, 9, 16, 17, 31, 64, 100})
        for (int64_t gap : {0, 3}) {
          SCOPED_TRACE(testing::Message()
                       << bytes << " bytes, " << arrays << " arrays of "
                       << count << ", gaps of " << gap);
          int64_t distance = count + gap;
          size_t apart = size_t((distance * (arrays - 1) + count) * bytes);
          size_t whole = size_t(count * arrays * bytes);
          std::vector<char> from = source(apart);
          Target joined(whole), parted(apart);
          gatherBlock(joined.begin(), arrays, from.data(), 1, distance, count,
                      arrays, bytes);
          ASSERT_TRUE(joined.fencesHold());
          for (int64_t i = 0; i < arrays; ++i)
            for (int64_t k = 0; k < count; ++k)
              ASSERT_EQ(memcmp(joined.begin() + (k * arrays + i) * bytes,
                               from.data() + (i * distance + k) * bytes,
                               size_t(bytes)),
                        0)
                  << "element " << k << " of array " << i;
          // A copy of its own, so that reading beyond it is found.
          std::vector<char> own(joined.begin(), joined.begin() + whole);
          gatherBlock(parted.begin(), distance, own.data(), 1, arrays, arrays,
                      count, bytes);
          ASSERT_TRUE(parted.fencesHold());
          for (int64_t i = 0; i < arrays; ++i)
            ASSERT_EQ(memcmp(parted.begin() + i * distance * bytes,
                             from.data() + i * distance * bytes,
                             size_t(count * bytes)),
                      0)
                << "array " << i;
        }
}

/// Aligned rows are written by vectors of their own, from an aligned column on.
TEST(Block, gathersAtAnyAlignment) {
  constexpr int64_t kRows = 66, kPitch = 128;
  for (int32_t bytes : {1, 2, 4, 8})
    for (int64_t rows : {2, 5, 8, 41, 64})
      for (int64_t columns : {4, 7, 8, 15, 16, 23, 64, 71})
        for (int64_t columnStride : {70, -70, 0})
          for (int64_t pitch : {kPitch, kPitch - 3})
            for (int64_t shift : {0, 1, 4, 7, 8, 16, 24}) {
              SCOPED_TRACE(testing::Message()
                           << bytes << " bytes, " << rows << "x" << columns
                           << ", stride " << columnStride << ", pitch " << pitch
                           << ", shift " << shift);
              std::vector<char> from =
                  source(size_t((columns + 1) * 70 * bytes));
              const char *first =
                  from.data() +
                  (columnStride < 0 ? 70 * (columns - 1) * bytes : 0);
              alignas(64) static char to[kRows * kPitch * 8];
              memset(to, kUntouched, sizeof to);
              gatherBlock(to + shift * bytes, pitch, first, 1, columnStride,
                          rows, columns, bytes);
              for (int64_t i = 0; i < rows * pitch; ++i) {
                int64_t row = i / pitch, column = i % pitch;
                const char *at = to + (i + shift) * bytes;
                if (column < columns)
                  ASSERT_EQ(
                      memcmp(at, first + (row + column * columnStride) * bytes,
                             size_t(bytes)),
                      0)
                      << "row " << row << ", column " << column;
                else
                  ASSERT_TRUE(std::all_of(
                      at, at + bytes, [](char c) { return c == kUntouched; }))
                      << "row " << row << ", column " << column;
              }
              ASSERT_TRUE(std::all_of(std::begin(to), to + shift * bytes,
                                      [](char c) { return c == kUntouched; }));
              ASSERT_TRUE(std::all_of(to + (rows * pitch + shift) * bytes,
                                      std::end(to),
                                      [](char c) { return c == kUntouched; }));
            }
}

TEST(Stream, copiesExactlyFromAndToAnyAddress) {
  std::vector<char> from = source(2048);
  for (size_t shift : {0, 1, 4, 20, 63})
    for (size_t begin : {0, 1, 16, 63})
      for (size_t size : {0, 1, 63, 64, 65, 127, 128, 1000}) {
        Target to(size + shift);
        streamCopy(to.begin() + shift, from.data() + begin, int64_t(size));
        streamFence();
        ASSERT_TRUE(to.fencesHold());
        ASSERT_EQ(memcmp(to.begin() + shift, from.data() + begin, size), 0)
            << size << " bytes from " << begin << " to " << shift;
        for (size_t i = 0; i < shift; ++i)
          ASSERT_EQ(to.begin()[i], kUntouched);
      }
}

TEST(Stream, isForWhatCachesDoNotHold) {
  EXPECT_FALSE(isWorthStreaming({32 << 10, 32 << 10}, 1));
#if defined(__x86_64__)
  constexpr int64_t kMiB = int64_t(1) << 20;
  EXPECT_TRUE(isWorthStreaming({int64_t(1) << 40, int64_t(1) << 40}, 1));
  // One thread has half of the last cache, two have three quarters.
  CacheSizes caches = {kMiB, 32 * kMiB};
  EXPECT_FALSE(isWorthStreaming({8 * kMiB, 8 * kMiB}, 1, caches));
  EXPECT_TRUE(isWorthStreaming({8 * kMiB + 1, 8 * kMiB}, 1, caches));
  EXPECT_FALSE(isWorthStreaming({12 * kMiB, 12 * kMiB}, 2, caches));
  EXPECT_TRUE(isWorthStreaming({12 * kMiB + 1, 12 * kMiB}, 2, caches));
  EXPECT_TRUE(isWorthStreaming({16 * kMiB, 16 * kMiB}, 16, caches));
  // What is read counts more than what is written.
  EXPECT_TRUE(isWorthStreaming({10 * kMiB, 5 * kMiB}, 1, caches));
  EXPECT_FALSE(isWorthStreaming({5 * kMiB, 10 * kMiB}, 1, caches));
  EXPECT_FALSE(isWorthStreaming({0, 32 * kMiB}, 1, caches));
  EXPECT_TRUE(isWorthStreaming({0, 32 * kMiB + 4}, 1, caches));
  // Large results are streamed whatever the cache.
  CacheSizes large = {2 * kMiB, 120 * kMiB};
  EXPECT_FALSE(isWorthStreaming({0, 48 * kMiB}, 1, large));
  EXPECT_TRUE(isWorthStreaming({0, 48 * kMiB + 4}, 1, large));
  EXPECT_FALSE(isWorthStreaming({30 * kMiB, 30 * kMiB}, 1, large));
  EXPECT_TRUE(isWorthStreaming({30 * kMiB + 4, 30 * kMiB}, 1, large));
  // Each core has a cache of its own.
  EXPECT_TRUE(isWorthStreaming({20 * kMiB, 20 * kMiB}, 32, caches));
  EXPECT_FALSE(isWorthStreaming({20 * kMiB, 20 * kMiB}, 33, caches));
  // A last cache that is hardly larger than the second one.
  constexpr int64_t kHalf = kMiB / 2 + kMiB / 8;
  EXPECT_FALSE(isWorthStreaming({kHalf - 1, kHalf}, 1, {kMiB, 2 * kMiB}));
  EXPECT_TRUE(isWorthStreaming({kHalf, kHalf}, 1, {kMiB, 2 * kMiB}));
#endif
}

TEST(Stream, lastCacheIsAtMostWhatOneProcessMayExpect) {
  constexpr int64_t kMiB = int64_t(1) << 20;
  // All of a small one, 32 MiB of a larger one, a quarter of a very large one;
  // at least twice the second-level cache.
  EXPECT_EQ(usableLast(8 * kMiB, kMiB), 8 * kMiB);
  EXPECT_EQ(usableLast(32 * kMiB, kMiB), 32 * kMiB);
  EXPECT_EQ(usableLast(105 * kMiB, 2 * kMiB), 32 * kMiB);
  EXPECT_EQ(usableLast(128 * kMiB, 2 * kMiB), 32 * kMiB);
  EXPECT_EQ(usableLast(480 * kMiB, 2 * kMiB), 120 * kMiB);
  EXPECT_EQ(usableLast(0, kMiB), 2 * kMiB);
  EXPECT_EQ(usableLast(kMiB, kMiB), 2 * kMiB);
}

} // namespace
