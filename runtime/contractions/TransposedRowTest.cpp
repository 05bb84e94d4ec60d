//===- TransposedRowTest.cpp - one row and a transposed weight ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/TransposedRow.h"

#include <gtest/gtest.h>

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
  const int64_t channels = 83, longest = 39, stride = longest + 2;
  std::vector<float> row(longest), weight(size_t(channels * stride));
  for (std::vector<float> *all : {&row, &weight})
    for (float &element : *all)
      element = normal(random);
  for (int64_t depth = 0; depth <= longest; ++depth)
    for (int64_t end = kLeastTransposed; end <= channels; ++end)
      for (int64_t begin = end % 7; begin < end; begin += 19) {
        std::vector<float> sums(size_t(end - begin) + 1, -7);
        sumTransposed(row.data(), weight.data(), stride, depth, begin, end,
                      sums.data());
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
