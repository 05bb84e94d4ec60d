//===- ContractGapsTest.cpp - results that are parts of tensors -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/ContractFixture.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

TEST_F(Contractions, gapsBehindProducts) {
  for (int32_t threads : {1, 2})
    for (int64_t rows : {0, 1, 7, 100})
      for (int64_t channels : {1, 8, 11, 70})
        for (bool grouped : {false, true})
          for (bool packed : {false, true}) {
            ContractCase c{{2, rows, 17},      {}, channels, {}, false, grouped,
                           packed && !grouped, {}, {}};
            c.bias = {channels};
            c.other = {2, rows, 1};
            c.threads = threads;
            c.gap = 5;
            check(c);
          }
}

TEST_F(Contractions, gapsBehindWindows) {
  // Lines, gathered windows, taps one by one, and channels one by one.
  for (int32_t threads : {1, 2})
    for (int64_t size : {1, 3, 7, 20})
      for (int64_t channels : {3, 33})
        for (int64_t stride : {1, 2})
          for (int64_t pad : {0, 1, 3})
            for (bool depthwise : {false, true}) {
              ContractCase c{{2, size, size + 1, channels},
                             {3, 2},
                             depthwise ? channels : 11,
                             {stride, 1, pad, 1, stride, 1, 1, pad},
                             depthwise,
                             false,
                             !depthwise,
                             {1},
                             {1}};
              c.threads = threads;
              c.gap = 2;
              check(c);
            }
}

TEST_F(Contractions, gapsBehindWindowsOfOtherAxes) {
  for (bool depthwise : {false, true})
    for (int64_t more : {0, 1}) {
      ContractCase c{{3, 9, 4, 6 + more, 6},
                     {2, 3, 2},
                     6,
                     {1, 1, 1, 0, 2, 1, 1, 1, 1, 1, 0, 1},
                     depthwise,
                     false,
                     false,
                     {6},
                     {1}};
      c.gap = 1 + more;
      check(c);
    }
  ContractCase line{{3, 40, 4}, {5},  9,   {2, 1, 2, 2}, false,
                    false,      true, {9}, {1}};
  line.gap = 3;
  check(line);
}

/// A plan is for the strides that the result has.
TEST_F(Contractions, gapsOfPlans) {
  for (int32_t threads : {1, 2}) {
    auto with = [&](int64_t gap, int64_t rows = 9) {
      ContractCase c{{1, rows, 40}, {}, 8, {}, false, false, true, {8}, {1}};
      c.threads = threads;
      c.gap = gap;
      return c;
    };
    checkInTurn({with(0), with(3), with(3), with(0), with(2), with(3),
                 with(3, 10), with(0, 0), with(3, 0), with(3), with(0, 200),
                 with(3, 200), with(3, 200), with(1, 200)});
  }
}

} // namespace
