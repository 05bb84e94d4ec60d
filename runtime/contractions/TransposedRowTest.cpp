//===- TransposedRowTest.cpp - one row and a transposed weight ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/TransposedRow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace broadloom;

/// Every remainder of steps and channels, also where a part of the channels is
/// asked for.
TEST(TransposedRow, sum1_eachSumIsOneChain) {
  if (!canSumTransposed())
    GTEST_SKIP() << "needs AVX2 and FMA";
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const int64_t most = 83, longest = 67, stride = longest + 2;
  std::vector<float> row(longest), weight(size_t(most * stride));
  for (std::vector<float> *all : {&row, &weight})
    for (float &element : *all)
      element = normal(random);
  for (int64_t depth = 0; depth <= longest; ++depth)
    for (int64_t channels = kLeastTransposed; channels <= most; ++channels)
      for (int64_t begin = channels % 7; begin < channels; begin += 8) {
        int64_t end = std::min(channels, begin + 1 + depth);
        // Reads before the weight or behind it are found by a sanitizer.
        std::vector<float> exact(
            weight.begin(), weight.begin() + (channels - 1) * stride + depth);
        std::vector<float> sums(size_t(end - begin) + 1, -7);
        sumTransposed(row.data(), exact.data(), stride, depth, channels, begin,
                      end, sums.data());
        for (int64_t o = begin; o < end; ++o) {
          float sum = 0;
          for (int64_t k = 0; k < depth; ++k)
            sum = std::fma(row[size_t(k)], weight[size_t(o * stride + k)], sum);
          ASSERT_EQ(sums[size_t(o - begin)], sum)
              << "step " << depth << ", channel " << o;
        }
        ASSERT_EQ(sums.back(), -7);
      }
}
