//===- SortTest.cpp - elements in order -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sorting/Sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace broadloom;

namespace {

struct Sorted {
  std::vector<float> values;
  std::vector<int64_t> indices;
};

/// The first `count` of each row of a matrix whose elements lie `step` apart.
Sorted sortRows(const std::vector<float> &matrix, int64_t rows, int64_t columns,
                int64_t count, bool isDescending, int32_t threads = 1,
                int64_t step = 1) {
  Sorted sorted{std::vector<float>(size_t(rows * count), -7),
                std::vector<int64_t>(size_t(rows * count), -7)};
  int64_t extents[] = {rows, columns};
  int64_t from[] = {columns * step, step}, to[] = {count, 1};
  auto *data = const_cast<float *>(matrix.data());
  Sorting sorting{BROADLOOM_F32,
                  2,
                  1,
                  isDescending,
                  extents,
                  count,
                  {reinterpret_cast<char *>(data), from},
                  {reinterpret_cast<char *>(sorted.values.data()), to},
                  {reinterpret_cast<char *>(sorted.indices.data()), to}};
  Arena arena;
  EXPECT_TRUE(sortAlong(sorting, arena, threads));
  return sorted;
}

/// The same by the library's stable sort.
Sorted expectRows(const std::vector<float> &matrix, int64_t rows,
                  int64_t columns, int64_t count, bool isDescending) {
  auto before = [&](float x, float y) {
    if (isDescending)
      std::swap(x, y);
    return std::isnan(y) ? !std::isnan(x) : x < y;
  };
  Sorted sorted;
  for (int64_t row = 0; row < rows; ++row) {
    const float *elements = matrix.data() + row * columns;
    std::vector<int64_t> order(static_cast<size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      if (before(elements[i], elements[j]))
        return true;
      return i < j && !before(elements[j], elements[i]);
    });
    for (int64_t i = 0; i < count; ++i) {
      sorted.indices.push_back(order[size_t(i)]);
      sorted.values.push_back(elements[order[size_t(i)]]);
    }
  }
  return sorted;
}

std::vector<float> makeMatrix(int64_t elements, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> number(-40, 41);
  std::vector<float> matrix;
  for (int64_t i = 0; i < elements; ++i) {
    int x = number(random);
    matrix.push_back(x == 41    ? std::nanf("")
                     : x == 40  ? -0.0f
                     : x == -40 ? -std::numeric_limits<float>::infinity()
                                : float(x) * 0.5f);
  }
  return matrix;
}

// Lengths around those from which other algorithms take over, all elements and
// some of them.
TEST(Sort, IsTheStableOneWhateverTheLength) {
  for (int64_t columns : {1, 2, 17, 255, 256, 257, 1000, 4096})
    for (int64_t count : {int64_t(1), std::min<int64_t>(columns, 20),
                          columns / 9, columns / 2, columns})
      for (bool isDescending : {false, true})
        for (int32_t threads : {1, 3}) {
          std::vector<float> matrix = makeMatrix(5 * columns, unsigned(count));
          Sorted found =
              sortRows(matrix, 5, columns, count, isDescending, threads);
          Sorted expected = expectRows(matrix, 5, columns, count, isDescending);
          ASSERT_EQ(found.indices, expected.indices)
              << columns << " columns, the first " << count;
          for (size_t i = 0; i < found.values.size(); ++i)
            ASSERT_EQ(std::memcmp(&found.values[i], &expected.values[i],
                                  sizeof(float)),
                      0);
        }
}

TEST(Sort, OfNothing) {
  EXPECT_TRUE(sortRows({}, 0, 4, 4, false).indices.empty());
  EXPECT_TRUE(sortRows({}, 3, 0, 0, false).indices.empty());
  EXPECT_TRUE(sortRows({1, 2}, 1, 2, 0, false).indices.empty());
}

// One element stands for all of a row: the indices are those of equal elements.
TEST(Sort, WithAStrideOfZero) {
  std::vector<float> matrix = {3, 0, 1};
  Sorted found = sortRows(matrix, 1, 3, 3, false, 1, /*step=*/0);
  EXPECT_EQ(found.values, std::vector<float>(3, 3.0f));
  EXPECT_EQ(found.indices, (std::vector<int64_t>{0, 1, 2}));
}

/// The indices of three elements, which are bits of the type.
template <typename Bits>
std::vector<int64_t> orderOf(BroadloomElementType type,
                             std::vector<Bits> elements) {
  int64_t extents[] = {int64_t(elements.size())}, strides[] = {1};
  std::vector<Bits> values(elements.size());
  std::vector<int64_t> indices(elements.size());
  Sorting sorting{type,
                  1,
                  0,
                  false,
                  extents,
                  extents[0],
                  {reinterpret_cast<char *>(elements.data()), strides},
                  {reinterpret_cast<char *>(values.data()), strides},
                  {reinterpret_cast<char *>(indices.data()), strides}};
  Arena arena;
  EXPECT_TRUE(sortAlong(sorting, arena, 1));
  for (size_t i = 0; i < indices.size(); ++i)
    EXPECT_EQ(values[i], elements[size_t(indices[i])]);
  return indices;
}

TEST(Sort, KnowsEveryElementType) {
  using Order = std::vector<int64_t>;
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_I1, {1, 0, 1}), (Order{1, 0, 2}));
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_I1, {0xFF, 0, 1, 0}),
            (Order{1, 3, 0, 2}));
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_I8, {1, 0x80, 0xFF}), (Order{1, 2, 0}));
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_U8, {1, 0x80, 0}), (Order{2, 0, 1}));
  EXPECT_EQ(orderOf<uint16_t>(BROADLOOM_I16, {1, 0x8000, 0xFFFF}),
            (Order{1, 2, 0}));
  EXPECT_EQ(orderOf<uint16_t>(BROADLOOM_U16, {0x8000, 1}), (Order{1, 0}));
  EXPECT_EQ(orderOf<uint32_t>(BROADLOOM_I32, {1, 0x80000000u}), (Order{1, 0}));
  EXPECT_EQ(orderOf<uint32_t>(BROADLOOM_U32, {0x80000000u, 1}), (Order{1, 0}));
  EXPECT_EQ(orderOf<uint64_t>(BROADLOOM_I64, {1, uint64_t(1) << 63}),
            (Order{1, 0}));
  EXPECT_EQ(orderOf<uint64_t>(BROADLOOM_U64, {uint64_t(1) << 63, 1}),
            (Order{1, 0}));
  // NaN, -1, 1, the greatest number.
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_F8E4M3FN, {0xFF, 0xB8, 0x38, 0x7E}),
            (Order{1, 2, 3, 0}));
  // NaN, -infinity, 1, infinity; +0 and -0 stay as they are.
  EXPECT_EQ(orderOf<uint8_t>(BROADLOOM_F8E5M2, {0x7D, 0xFC, 0x3C, 0x7C}),
            (Order{1, 2, 3, 0}));
  EXPECT_EQ(orderOf<uint16_t>(BROADLOOM_F16, {0xFE00, 0xFC00, 0, 0x8000}),
            (Order{1, 2, 3, 0}));
  EXPECT_EQ(orderOf<uint16_t>(BROADLOOM_BF16, {0x7FC0, 0xFF80, 0x8000, 0}),
            (Order{1, 2, 3, 0}));
  EXPECT_EQ(
      orderOf<uint64_t>(BROADLOOM_F64, {0x7FF8000000000000, 0,
                                        uint64_t(1) << 63, 0xFFF0000000000000}),
      (Order{3, 1, 2, 0}));
}

} // namespace
