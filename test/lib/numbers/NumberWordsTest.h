//===- NumberWordsTest.h - numbers near the ends of 64 bits -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two extents, one of which memory limits, and two words, with values that are
// drawn near 0, 2^31, 2^32, 2^54, 2^62 and 2^63.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_NUMBERS_NUMBERWORDSTEST_H
#define BROADLOOM_TEST_LIB_NUMBERS_NUMBERWORDSTEST_H

#include "infer/numbers/Numbers.h"
#include "infer/numbers/SymbolExtents.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace broadloom::infer {

constexpr int kLeaves = 4;
/// Those before are extents, the others words of any kind.
constexpr int kExtents = 2;
constexpr int64_t kMost = int64_t(1) << 54;
using Point = std::array<int64_t, kLeaves>;

class WordsTest : public ::testing::Test {
protected:
  WordsTest() {
    for (int i = 0; i < kLeaves; ++i) {
      if (i >= kExtents) {
        leaves.push_back(numbers.unknownWord());
        continue;
      }
      Extent extent = symbols.create();
      // One tensor's; the others' sizes are not known.
      if (i == 0)
        numbers.limitExtent(extent, kMost, 0);
      leaves.push_back(numberOf(numbers, extent));
    }
  }

  int pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  }

  int64_t pickWord() {
    static const std::array<uint64_t, 8> near = {
        0, 0, 0, 1ull << 31, 1ull << 32, 1ull << 54, 1ull << 62, 1ull << 63};
    uint64_t word = near[pick(near.size())] + uint64_t(pick(7)) - 3;
    return static_cast<int64_t>(pick(2) ? word : 0 - word);
  }

  int64_t pickLeaf(int leaf) {
    for (;;) {
      int64_t value = pickWord();
      if (leaf < kExtents && (value < 0 || (leaf == 0 && value > kMost)))
        continue;
      return value;
    }
  }

  Point pickPoint() {
    Point point;
    for (int i = 0; i < kLeaves; ++i)
      point[i] = pickLeaf(i);
    return point;
  }

  std::mt19937 random{20250711};
  Symbols symbols;
  Numbers numbers{symbols};
  std::vector<Number> leaves;
};

inline std::string toText(const Point &point) {
  std::string text;
  for (int64_t value : point)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

} // namespace broadloom::infer

#endif // BROADLOOM_TEST_LIB_NUMBERS_NUMBERWORDSTEST_H
