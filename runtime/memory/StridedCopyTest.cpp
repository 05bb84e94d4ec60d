//===- StridedCopyTest.cpp - copies between layouts -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/StridedCopy.h"
#include "runtime/memory/Stream.h"
#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <numeric>

using namespace broadloom;
using namespace broadloom::test;

namespace {

char *dataOf(const BroadloomTensor &tensor) {
  return static_cast<char *>(tensor.data) +
         tensor.offset * broadloomElementBytes(tensor.elementType);
}

TEST(StridedCopy, betweenAllLayouts) {
  const Layout sources[] = {Layout::RowMajor, Layout::Transposed,
                            Layout::Reversed, Layout::Spread,
                            Layout::Zero,     Layout::Offset};
  const Layout targets[] = {Layout::RowMajor, Layout::Transposed,
                            Layout::Reversed, Layout::Spread, Layout::Offset};
  Arena arena;
  for (const Extents &extents :
       {Extents{}, Extents{1}, Extents{70}, Extents{0, 3}, Extents{33, 65},
        Extents{5, 1, 40, 3}, Extents{3, 400, 130}})
    for (int32_t bytes : {1, 2, 4, 8})
      for (Layout source : sources)
        for (Layout target : targets) {
          Buffer from(extents, bytes, source), to(extents, bytes, target, true);
          from.fill(5);
          int64_t rank = int64_t(extents.size());
          ASSERT_TRUE(copyStrided(
              arena, 2, extents.data(), rank, bytes,
              {dataOf(*to.tensor()), to.tensor()->dims + rank},
              {dataOf(*from.tensor()), from.tensor()->dims + rank}));
          if (isEmpty(extents))
            continue;
          Extents index(extents.size());
          do
            ASSERT_EQ(to.get(index), from.get(index))
                << formatExtents(extents.data(), rank) << " " << int(source)
                << " to " << int(target);
          while (next(index, extents));
        }
}

/// A question after each part of a copy, of which few are answered with no.
struct Answers {
  std::atomic<int> left;
  static bool ask(void *context, bool) {
    return --static_cast<Answers *>(context)->left < 0;
  }
};

TEST(StridedCopy, abi6_endsWhereItIsCancelled) {
  const Extents extents = {1000, 1000};
  Arena arena;
  for (int32_t threads : {1, 3})
    for (Layout source : {Layout::RowMajor, Layout::Transposed, Layout::Spread})
      for (Layout target : {Layout::RowMajor, Layout::Spread}) {
        Buffer from(extents, 4, source), to(extents, 4, target, true);
        from.fill(5);
        auto copyWith = [&](int answers) {
          Answers all{{answers}};
          EXPECT_TRUE(
              copyStrided(arena, threads, extents.data(), 2, 4,
                          {dataOf(*to.tensor()), to.tensor()->dims + 2},
                          {dataOf(*from.tensor()), from.tensor()->dims + 2},
                          {&all, &Answers::ask}));
          Extents index(2);
          int64_t equal = 0;
          do
            equal += to.get(index) == from.get(index);
          while (next(index, extents));
          return equal;
        };
        int64_t first = copyWith(2);
        EXPECT_GT(first, 0);
        EXPECT_LT(first, 500 * 1000);
        EXPECT_EQ(copyWith(1 << 20), 1000 * 1000);
      }
}

/// Rows with gaps between them, on one side and on both, in several bands.
TEST(StridedCopy, partsOfRows) {
  const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 5}, {7, 4, 8}, {3, 900, 70}};
  Arena arena;
  for (auto &extents : shapes)
    for (int64_t toGap : {0, 3})
      for (int64_t fromGap : {0, 1}) {
        auto stridesOf = [&](int64_t gap) {
          int64_t row = extents[2] + gap;
          return std::array<int64_t, 3>{(extents[1] + gap) * row, row, 1};
        };
        auto toStrides = stridesOf(toGap), fromStrides = stridesOf(fromGap);
        std::vector<int32_t> from(size_t(extents[0] * fromStrides[0])),
            to(size_t(extents[0] * toStrides[0]), -1), expected = to;
        std::iota(from.begin(), from.end(), 0);
        for (int64_t i = 0; i < extents[0]; ++i)
          for (int64_t j = 0; j < extents[1]; ++j)
            for (int64_t k = 0; k < extents[2]; ++k)
              expected[size_t(i * toStrides[0] + j * toStrides[1] + k)] =
                  from[size_t(i * fromStrides[0] + j * fromStrides[1] + k)];
        ASSERT_TRUE(copyStrided(
            arena, 2, extents, 3, 4,
            {reinterpret_cast<char *>(to.data()), toStrides.data()},
            {reinterpret_cast<char *>(from.data()), fromStrides.data()}));
        EXPECT_EQ(to, expected) << extents[0] << " " << toGap << " " << fromGap;
      }
}

/// Matrices that fit no second cache are transposed by way of the first one;
/// the larger ones are not worth a place in the last one either.
TEST(StridedCopy, largeTransposedMatrices) {
  Arena arena;
  int64_t fits = cacheSizes().second / 8, other = cacheSizes().last / 8;
  for (int64_t elements : {fits + 1000, other + 1000})
    for (int64_t columns : {70, 512, 1031, 40000})
      for (int64_t gap : {0, 3}) {
        int64_t rows = elements / columns + 1;
        int64_t pitch = columns + gap;
        std::vector<int32_t> from(size_t(rows * columns)),
            to(size_t(rows * pitch), -1);
        std::iota(from.begin(), from.end(), 0);
        int64_t extents[] = {rows, columns}, target[] = {pitch, 1},
                source[] = {1, rows};
        ASSERT_TRUE(
            copyStrided(arena, 2, extents, 2, 4,
                        {reinterpret_cast<char *>(to.data()), target},
                        {reinterpret_cast<char *>(from.data()), source}));
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t column = 0; column < pitch; ++column)
            ASSERT_EQ(to[size_t(row * pitch + column)],
                      column < columns ? int32_t(row + column * rows) : -1)
                << rows << "x" << columns << " with gaps of " << gap << ", row "
                << row << ", column " << column;
      }
}

TEST(StridedCopy, elementsOfOtherSizes) {
  struct Triple {
    char bytes[12];
  };
  Triple from[6], to[6];
  memset(to, 0, sizeof to);
  for (char i = 0; i < 6; ++i)
    memset(from[int(i)].bytes, i + 1, 12);
  int64_t extents[] = {2, 3}, rowMajor[] = {3, 1}, transposed[] = {1, 2};
  Arena arena;
  ASSERT_TRUE(copyStrided(arena, 1, extents, 2, sizeof(Triple),
                          {reinterpret_cast<char *>(to), transposed},
                          {reinterpret_cast<char *>(from), rowMajor}));
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_EQ(memcmp(&to[row + 2 * column], &from[3 * row + column], 12), 0);
}

TEST(Contiguous, itselfWhereItIsContiguous) {
  CallContext call;
  Buffer rowMajor({3, 5}, 4, Layout::Offset),
      transposed({3, 5}, 4, Layout::Transposed);
  transposed.fill(3);
  alignas(8) char space[sizeof(BroadloomDescriptor) + 4 * sizeof(int64_t)];
  auto &out = *reinterpret_cast<BroadloomDescriptor *>(space);
  BroadloomView view{2, const_cast<void **>(&rowMajor.tensor()->allocated)};
  ASSERT_EQ(broadloomContiguous(&call, "", 4, &view, &out), BROADLOOM_OK);
  EXPECT_EQ(out.aligned, dataOf(*rowMajor.tensor()));
  EXPECT_EQ(out.offset, 0);

  view.descriptor = const_cast<void **>(&transposed.tensor()->allocated);
  ASSERT_EQ(broadloomContiguous(&call, "", 4, &view, &out), BROADLOOM_OK);
  EXPECT_NE(out.aligned, transposed.tensor()->data);
  EXPECT_EQ(static_cast<uint32_t *>(out.aligned)[5 + 2],
            transposed.get({1, 2}));
}

} // namespace
