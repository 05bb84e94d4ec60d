//===- ReductionLaunchTest.cpp - against loops over all elements ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/ReductionPrograms.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace broadloom;
using namespace broadloom::test;

namespace {

class ReductionLaunch : public testing::Test {
protected:
  void SetUp() override { misuse = shortCalls = narrowCalls = 0; }
  void TearDown() override { EXPECT_EQ(misuse, 0); }

  /// With and without a kernel for short rows, a program for narrow weights,
  /// and an order that matters.
  void check(const Extents &shape, const Extents &weights, uint64_t reduced,
             int32_t bytes, Layout layout = Layout::RowMajor,
             int32_t threads = 1, bool keepsE = false) {
    Buffer x(shape, bytes, layout), w(weights, bytes);
    x.fill(1);
    w.fill(2);
    Reference reference(x, w, std::max(shape.size(), weights.size()), reduced);
    for (Compiled compiled :
         {Compiled::Stages, Compiled::ShortRows, Compiled::Narrow})
      for (bool isOrdered : {false, true})
        if (!isOrdered || compiled != Compiled::Narrow)
          checkOne(reference, reduced, threads, keepsE, compiled, isOrdered);
  }

  void checkOne(const Reference &reference, uint64_t reduced, int32_t threads,
                bool keepsE, Compiled compiled, bool isOrdered) {
    const Buffer &x = reference.x, &w = reference.w;
    int32_t bytes = x.bytes;
    ReductionProgram program(int32_t(reference.full.size()), reduced, bytes,
                             keepsE, compiled, isOrdered);
    CallContext call;
    call.setThreads(threads);
    std::vector<BroadloomElementType> types(program.results.size(),
                                            typeOfBytes(bytes));
    call.setResultTypes(types.data(), int32_t(types.size()));
    int32_t status =
        runProgram(call, program.program, bytes, {x.tensor(), w.tensor()});
    if (!reference.good) {
      EXPECT_EQ(status, BROADLOOM_GUARD_FAILED);
      return;
    }
    ASSERT_EQ(status, BROADLOOM_OK) << call.failure().message;
    for (size_t i = 0; i < program.results.size(); ++i)
      ASSERT_EQ(
          compare(call, int32_t(i), Number(program.results[i]), reference), "")
          << "value " << program.results[i] << " of "
          << formatExtents(x.extents.data(), int64_t(x.extents.size()))
          << " and "
          << formatExtents(w.extents.data(), int64_t(w.extents.size()))
          << " over axes " << reduced << ", " << bytes << " bytes";
  }
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

TEST_F(ReductionLaunch, red1_allAxesOfSmallShapes) {
  Extents choices = {0, 1, 2, 3, 65};
  for (int64_t a : choices)
    for (int64_t b : choices)
      for (int64_t c : choices)
        for (uint64_t reduced = 1; reduced < 8; ++reduced)
          check({a, b, c}, {c}, reduced, 4);
}

TEST_F(ReductionLaunch, red1_weightsThatAreLongerThanRows) {
  for (uint64_t reduced = 1; reduced < 4; ++reduced)
    for (const Extents &shape : std::vector<Extents>{
             {1, 1}, {5, 1}, {1, 5}, {5, 7}, {0, 1}, {1, 0}, {1}, {5}})
      for (const Extents &weights : std::vector<Extents>{
               {1, 1}, {5, 7}, {5, 1}, {1, 7}, {0, 1}, {1, 0}, {200, 3}})
        check(shape, weights, reduced, 4, Layout::RowMajor, 1, true);
}

TEST_F(ReductionLaunch, red1_rowsOfAllLengths) {
  for (int64_t length : {1, 7, 63, 64, 65, 127, 191, 1000})
    for (int64_t rows : {1, 3, 31, 33, 64, 257}) {
      check({rows, length}, {1, length}, 2, 4);
      check({length, rows}, {1}, 1, 4);
      check({2, length, rows}, {length, 1}, 2, 4);
    }
}

TEST_F(ReductionLaunch, red1_allElementSizesAndLayouts) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (Layout layout :
         {Layout::RowMajor, Layout::Transposed, Layout::Reversed,
          Layout::Spread, Layout::Zero, Layout::Offset})
      for (const Extents &shape : std::vector<Extents>{
               {3, 200}, {40, 5}, {5, 40}, {70, 70}, {3, 70, 66}, {4, 5, 6, 7}})
        for (uint64_t reduced = 1; reduced < (1u << shape.size()); reduced += 1)
          check(shape, {1}, reduced, bytes, layout, 1, true);
}

/// Results do not depend on the number of threads: here because integers do
/// not, and with floats because the order of folding is the same.
TEST_F(ReductionLaunch, red4_manyThreads) {
  for (const Extents &shape : std::vector<Extents>{
           {300, 500}, {500, 300}, {5000, 16}, {4, 200, 200}, {1, 200000}})
    for (uint64_t reduced : {1, 2, 3})
      check(shape, {1}, reduced, 4, Layout::RowMajor, 3, true);
}

/// Rows that are short and consecutive in memory, around the numbers of
/// elements and rows that go together.
TEST_F(ReductionLaunch, red1_shortRows) {
  for (int64_t length : {11, 12, 15, 16, 17, 31, 32, 100, 1023, 1024, 1025})
    for (int64_t rows : {3, 4, 5, 15, 16, 17, 33, 300}) {
      int64_t before = shortCalls;
      check({rows, length}, {length}, 2, 4, Layout::RowMajor, 2);
      EXPECT_EQ(shortCalls > before, length >= 12 && length <= 1024 && rows > 3)
          << rows << " rows of " << length;
      check({2, rows, length}, {2, 1, 1}, 4, 2, Layout::Spread, 2, true);
    }
  // Not aligned, and longer in memory than in the operand.
  check({40, 40}, {1, 1}, 2, 4, Layout::Offset, 1, true);
  // Rows that do not follow each other.
  check({6, 5, 40}, {6, 1, 40}, 4, 4, Layout::RowMajor, 3, true);
  check({6, 5, 40}, {5, 40}, 4, 4, Layout::RowMajor, 3, true);
}

/// Values between stages that may be kept in a result's memory, also where more
/// than a group of rows would fit the first cache.
TEST_F(ReductionLaunch, red1_shortRowsKeptInResults) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (int64_t length : {255, 256, 257, 511})
      for (int64_t rows : {4, 15, 16, 17, 49, 300})
        for (bool keepsE : {false, true})
          check({rows, length}, {length}, 2, bytes, Layout::RowMajor, 2,
                keepsE);
}

/// Rows that are reduced in parts, and shared by threads.
TEST_F(ReductionLaunch, red4_longRows) {
  for (int64_t length : {32767, 32768, 32769, 32833, 65536, 98305})
    for (int32_t threads : {1, 2, 3}) {
      check({1, length}, {length}, 2, 4, Layout::RowMajor, threads, true);
      check({length}, {1}, 1, 2, Layout::Reversed, threads);
    }
  check({3, 5, 20011}, {1}, 5, 4, Layout::RowMajor, 2);
  // Columns that are reduced down.
  for (int64_t columns : {40, 64, 100, 200})
    check({70000, columns}, {1}, 1, 2, Layout::RowMajor, 3, columns == 100);
  // More parts than lanes.
  check({1, 2200000}, {1}, 2, 4, Layout::RowMajor, 2);
  check({9, 70000}, {1}, 2, 4, Layout::RowMajor, 2);
}

/// Few rows that interleave in memory, which are copied to buffers in groups
/// and back: more than a group, rows that end a group early, and shared rows.
TEST_F(ReductionLaunch, red1_interleavedRows) {
  for (int64_t columns : {2, 3, 15, 16, 17, 31})
    for (int64_t length : {129, 700})
      for (int32_t bytes : {1, 2, 4, 8})
        for (int32_t threads : {1, 2, 3}) {
          check({length, columns}, {length, columns}, 1, bytes,
                Layout::RowMajor, threads, true);
          check({2, length, columns}, {columns}, 2, bytes, Layout::RowMajor,
                threads);
        }
  check({150, 2, 9}, {150, 1, 9}, 1, 4, Layout::RowMajor, 2, true);
  check({9, 20, 30}, {20, 30}, 6, 4, Layout::Transposed, 2, true);
  check({70000, 5}, {5}, 1, 4, Layout::RowMajor, 2, true);
  check({300000, 2}, {1}, 1, 2, Layout::RowMajor, 3);
}

/// Columns that are reduced down, with something for each step beside them:
/// what is too long to be repeated for all of a block's columns is repeated for
/// some steps at a time. The last columns are no strip.
TEST_F(ReductionLaunch, red1_longColumns) {
  for (int64_t columns : {33, 65, 200})
    for (int64_t length : {801, 1100})
      for (int32_t threads : {1, 3}) {
        check({length, columns}, {length, 1}, 1, 4, Layout::RowMajor, threads);
        check({length, columns}, {length, columns}, 1, 2, Layout::Transposed,
              threads);
      }
  check({900, 3, 70}, {900, 1, 1}, 1, 8, Layout::RowMajor, 2, true);
  check({3, 900, 70}, {900, 1}, 2, 1, Layout::Reversed, 2, true);
  check({900, 130}, {900, 130}, 1, 4, Layout::Offset, 2, true);
  check({33000, 66}, {33000, 1}, 1, 4, Layout::RowMajor, 3);
}

/// Which program runs depends on the extents of the call: a weight is narrow
/// where it has no extent but 1 along the axes that are reduced.
TEST_F(ReductionLaunch, red1_narrowWeights) {
  struct Case {
    Extents shape, weights;
    uint64_t reduced;
    bool isNarrow;
  };
  for (const Case &it : std::vector<Case>{{{40, 200}, {1}, 2, true},
                                          {{40, 200}, {40, 1}, 2, true},
                                          {{40, 200}, {1, 200}, 2, false},
                                          {{40, 200}, {40, 200}, 2, false},
                                          {{40, 200}, {200}, 1, true},
                                          {{40, 200}, {40, 1}, 1, false},
                                          {{40, 1}, {1, 7}, 2, false},
                                          {{40, 1}, {40, 1}, 2, true},
                                          {{40, 0}, {1, 1}, 2, true},
                                          {{40, 200}, {}, 3, true},
                                          {{4, 30, 5}, {4, 1, 5}, 2, true},
                                          {{4, 30, 5}, {30, 1}, 4, true},
                                          {{4, 30, 5}, {30, 1}, 6, false}}) {
    int64_t before = narrowCalls;
    check(it.shape, it.weights, it.reduced, 4, Layout::RowMajor, 2);
    bool isEmptyShape =
        std::find(it.shape.begin(), it.shape.end(), 0) != it.shape.end();
    EXPECT_EQ(narrowCalls > before, it.isNarrow && !isEmptyShape)
        << formatExtents(it.weights.data(), int64_t(it.weights.size()))
        << " over axes " << it.reduced;
  }
}

/// Results that are too large for the caches are streamed.
TEST_F(ReductionLaunch, red1_largeResults) {
  check({40000, 60}, {60}, 2, 8, Layout::RowMajor, 2);
  check({601, 4130}, {4130}, 2, 8, Layout::RowMajor, 2);
  check({530, 4801}, {1}, 1, 8, Layout::RowMajor, 2);
}

} // namespace
