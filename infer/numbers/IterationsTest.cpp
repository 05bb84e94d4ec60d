//===- IterationsTest.cpp - iterations of loops of bytes ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Iterations.h"

#include "gtest/gtest.h"

#include <vector>

using namespace broadloom;
using namespace broadloom::infer;

/// The indices of every loop over bytes, with a sign and without, against the
/// loop itself.
TEST(Iterations, rt13_IndicesAreThoseOfTheLoop) {
  for (bool isUnsigned : {false, true})
    for (int from = -128; from < 128; from += 5)
      for (int to = -128; to < 128; to += 3)
        for (int step : {-128, -7, -1, 0, 1, 2, 50, 127}) {
          auto read = [&](int byte) { return isUnsigned ? byte & 255 : byte; };
          std::vector<int64_t> expected;
          for (int i = read(from); read(step) > 0 && i < read(to);
               i += read(step))
            expected.push_back(static_cast<int8_t>(i));
          Iterations iterations(from, to, step, 8, isUnsigned);
          ASSERT_EQ(iterations.count(), expected.size());
          Bounds bounds = iterations.getBounds();
          for (size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(iterations.getIndex(i), expected[i]);
            ASSERT_LE(bounds.lo, expected[i]);
            ASSERT_GE(bounds.hi, expected[i]);
          }
          ASSERT_EQ(iterations.isMoreThan(3), expected.size() > 3);
        }
}

TEST(Iterations, TheWholeRangeOfWords) {
  Iterations all(INT64_MIN, INT64_MAX, 1, 64, /*isUnsigned=*/false);
  EXPECT_EQ(all.count(), UINT64_MAX);
  EXPECT_EQ(all.getIndex(all.count() - 1), INT64_MAX - 1);
  Iterations far(INT64_MAX - 1, INT64_MAX, INT64_MAX, 64, /*isUnsigned=*/false);
  EXPECT_EQ(far.count(), 1u);
}
