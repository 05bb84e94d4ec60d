//===- ReductionOrderTest.cpp - the order of sums of floats (red-4) -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of x + y, whose bits may depend on the extents of the sum alone: not on
// how x and y lie in memory, nor on which of them repeats. There is no kernel
// for short rows here, which the order must not show.
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/ReductionPrograms.h"

#include "runtime/reductions/ReductionRun.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

using namespace broadloom;
using namespace broadloom::test;

namespace {

constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
constexpr int64_t kShort = BROADLOOM_SHORT_ROWS;

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

void addBoth(void *const *pointers, const int64_t *steps, int64_t lanes,
             int64_t count) { // x, y; sum
  forElements<float, 3>(pointers, steps, 2, lanes, count,
                        [](float **at) { *at[2] += *at[0] + *at[1]; });
}

float addHalves(std::vector<float> lanes) {
  for (size_t half = lanes.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      lanes[i] += lanes[i + half];
  return lanes[0];
}

void finishHalves(const void *lanes, void *result) {
  auto *all = static_cast<const float *>(lanes);
  std::fill_n(static_cast<float *>(result), kLanes,
              addHalves({all, all + kLanes}));
}

/// The sum of elements one after the other, in sequences of 256: the results of
/// the first 2^k sequences, the most that leave some, and of the rest are
/// combined.
float addInSequences(const float *begin, const float *end) {
  constexpr ptrdiff_t kSequence = 256;
  ptrdiff_t first = kSequence;
  if (end - begin <= first)
    return std::accumulate(begin, end, 0.0f);
  while (2 * first < end - begin)
    first *= 2;
  return addInSequences(begin, begin + first) +
         addInSequences(begin + first, end);
}

/// The sum as red-4 says it.
float addInOrder(ReductionOrder order, const std::vector<float> &row) {
  if (order == ReductionOrder::Sequence)
    return addInSequences(row.data(), row.data() + row.size());
  size_t width = order == ReductionOrder::Short ? kShort : kLanes;
  std::vector<float> lanes(width, 0.0f);
  // What does not fill all lanes comes last in short rows, else first.
  size_t whole = row.size() / width * width;
  auto addTail = [&] {
    for (size_t i = whole; i < row.size(); ++i)
      lanes[i - whole] += row[i];
  };
  if (order != ReductionOrder::Short)
    addTail();
  for (size_t i = 0; i < whole; ++i)
    lanes[i % width] += row[i];
  if (order == ReductionOrder::Short)
    addTail();
  return addHalves(lanes);
}

void fillWithFloats(Buffer &buffer, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Extents at(buffer.extents.size());
  do
    buffer.set(at, bitCast<uint32_t>(normal(random)));
  while (next(at, buffer.extents));
}

class ReductionOrderTest : public testing::Test {
protected:
  /// Checks all sums of x + y over the axes in `reduced`.
  void check(const Extents &shape, const Extents &other, uint64_t reduced,
             Layout layout) {
    Buffer x(shape, 4, layout), y(other, 4);
    fillWithFloats(x, 1);
    fillWithFloats(y, 2);
    BroadloomProgram program = makeProgram(shape.size(), reduced);
    CallContext call;
    BroadloomElementType type = typeOfBytes(4);
    call.setResultTypes(&type, 1);
    ASSERT_EQ(runProgram(call, program, 4, {x.tensor(), y.tensor()}),
              BROADLOOM_OK);
    BroadloomTensor result;
    ASSERT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
    compare(x, y, reduced, result);
    broadloomTensorRelease(&result);
  }

  void compare(const Buffer &x, const Buffer &y, uint64_t reduced,
               const BroadloomTensor &result) {
    Extents inRow = x.extents, kept = x.extents;
    int64_t rows = 1, length = 1, last = 0;
    for (size_t axis = 0; axis < kept.size(); ++axis) {
      bool isReduced = reduced >> axis & 1;
      (isReduced ? length : rows) *= x.extents[axis];
      (isReduced ? kept : inRow)[axis] = 1;
      if (x.extents[axis] != 1)
        last = isReduced;
    }
    ReductionOrder order = chooseOrder(rows, length, last);
    auto numberAt = [](const Buffer &from, const Extents &at) {
      return bitCast<float>(uint32_t(from.get(at)));
    };
    Extents row(kept.size());
    do {
      std::vector<float> numbers;
      Extents at(kept.size());
      do {
        Extents both = row;
        for (size_t axis = 0; axis < both.size(); ++axis)
          both[axis] += at[axis];
        numbers.push_back(numberAt(x, both) + numberAt(y, both));
      } while (next(at, inRow));
      ASSERT_EQ(uint32_t(element(result, row)),
                bitCast<uint32_t>(addInOrder(order, numbers)))
          << formatExtents(x.extents.data(), result.rank) << " and "
          << formatExtents(y.extents.data(), result.rank) << " over axes "
          << reduced << ", row " << formatExtents(row.data(), result.rank);
    } while (next(row, kept));
  }

  BroadloomProgram makeProgram(size_t rank, uint64_t reduced) {
    rows = BroadloomReduction{int32_t(rank), reduced, values, &stage,
                              nullptr,       0,       nullptr};
    BroadloomProgram program{};
    program.numOperands = 2;
    program.numStages = program.numResults = 1;
    program.numValues = 3;
    program.results = &result;
    program.rows = &rows;
    return program;
  }

  float zero = 0;
  int32_t inputs[2] = {0, 1}, result = 2;
  BroadloomReduce reduce{finishHalves, &zero, 3, foldSum<float>};
  BroadloomReductionStage stage{addBoth, inputs, &reduce, 2, 0, 1, 0, 2};
  BroadloomReductionValue values[3] = {
      {4, 0, 1, 1}, {4, 0, 2, 2}, {4, 1, 3, 0}};
  BroadloomReduction rows;
};

TEST_F(ReductionOrderTest, red4_isOfTheExtentsAlone) {
  for (Layout layout :
       {Layout::RowMajor, Layout::Transposed, Layout::Reversed, Layout::Spread})
    for (int64_t length : {5, 11, 12, 16, 17, 63, 64, 65, 127, 500, 1024, 1025})
      for (int64_t rows : {1, 3, 4, 31, 32, 70}) {
        check({rows, length}, {rows, length}, 2, layout);
        check({rows, length}, {1, length}, 2, layout);
        check({rows, length}, {rows, 1}, 2, layout);
        check({length, rows}, {length, 1}, 1, layout);
      }
}

TEST_F(ReductionOrderTest, red4_whateverRepeats) {
  for (const Extents &other : std::vector<Extents>{
           {1, 1, 1}, {9, 1, 1}, {1, 7, 1}, {1, 1, 13}, {9, 1, 13}, {1, 7, 13}})
    for (uint64_t reduced = 1; reduced < 8; ++reduced)
      check({9, 7, 13}, other, reduced, Layout::RowMajor);
}

TEST_F(ReductionOrderTest, red4_inSequences) {
  for (Layout layout : {Layout::RowMajor, Layout::Transposed, Layout::Spread})
    for (int64_t length :
         {255, 256, 257, 512, 513, 600, 767, 769, 1024, 2000, 4097})
      for (int64_t rows : {32, 70}) {
        check({length, rows}, {length, rows}, 1, layout);
        check({length, rows}, {length, 1}, 1, layout);
        check({length, rows}, {1, rows}, 1, layout);
      }
  // Blocks of windows, and rows that interleave.
  check({3, 700, 40}, {3, 1, 40}, 2, Layout::RowMajor);
  check({40, 20, 33}, {40, 20, 33}, 3, Layout::Reversed);
}

/// The rule itself: a boundary on each side.
TEST(ReductionOrder, red4_boundaries) {
  EXPECT_EQ(chooseOrder(31, 11, true), ReductionOrder::Lanes);
  EXPECT_EQ(chooseOrder(32, 11, true), ReductionOrder::Sequence);
  EXPECT_EQ(chooseOrder(3, 12, true), ReductionOrder::Lanes);
  EXPECT_EQ(chooseOrder(4, 12, true), ReductionOrder::Short);
  EXPECT_EQ(chooseOrder(4, 1024, true), ReductionOrder::Short);
  EXPECT_EQ(chooseOrder(4, 1025, true), ReductionOrder::Lanes);
  EXPECT_EQ(chooseOrder(31, 500, false), ReductionOrder::Lanes);
  EXPECT_EQ(chooseOrder(32, 500, false), ReductionOrder::Sequence);
}

} // namespace
