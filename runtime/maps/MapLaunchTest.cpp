//===- MapLaunchTest.cpp - programs against a loop over all elements ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/LaunchChecks.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// All shapes of up to `rank` axes with extents from `choices`.
std::vector<Extents> shapesOf(size_t rank, const Extents &choices) {
  std::vector<Extents> shapes = {{}};
  for (size_t begin = 0, r = 0; r < rank; ++r) {
    size_t end = shapes.size();
    for (; begin < end; ++begin)
      for (int64_t extent : choices) {
        shapes.push_back(shapes[begin]);
        shapes.back().push_back(extent);
      }
  }
  return shapes;
}

TEST_F(Launch, bcast3_allPairsOfSmallShapes) {
  TestProgram program(2);
  program.result(program.stage(Op::Mix, {0, 1}));
  CallContext call;
  declareResults(call, program);
  std::vector<Extents> shapes = shapesOf(4, {0, 1, 2, 3});
  std::vector<std::unique_ptr<Buffer>> all[2];
  for (int side = 0; side < 2; ++side)
    for (const Extents &shape : shapes) {
      all[side].push_back(std::make_unique<Buffer>(shape, 4));
      all[side].back()->fill(uint64_t(side) + 1);
    }
  Buffers pair(2);
  for (size_t a = 0; a < shapes.size(); ++a)
    for (size_t b = 0; b < shapes.size(); ++b) {
      pair[0] = std::move(all[0][a]);
      pair[1] = std::move(all[1][b]);
      check(call, program, pair);
      all[0][a] = std::move(pair[0]);
      all[1][b] = std::move(pair[1]);
      if (HasFatalFailure())
        return;
    }
}

TEST_F(Launch, bcast3_pairsOfLongerShapes) {
  // Extents on both sides of a strip, of a long row and of a chunk.
  TestProgram program(2);
  program.result(program.stage(Op::Mix, {0, 1}));
  CallContext call;
  declareResults(call, program);
  for (const Extents &full : std::vector<Extents>{{64},
                                                  {65},
                                                  {8192 + 63},
                                                  {8192 + 64},
                                                  {20000},
                                                  {3, 70},
                                                  {70, 3},
                                                  {2, 256},
                                                  {5, 300},
                                                  {3, 8200},
                                                  {1000, 7},
                                                  {4100, 5},
                                                  {4, 5, 300},
                                                  {30, 20, 3},
                                                  {5, 2, 3, 310},
                                                  {6, 7, 8, 9}}) {
    // Each operand has each axis or not, and may leave out leading ones.
    size_t patterns = size_t(1) << full.size();
    auto operand = [&](size_t pattern, uint64_t seed) {
      Extents extents = full;
      for (size_t axis = 0; axis < full.size(); ++axis)
        if (pattern >> axis & 1)
          extents[axis] = 1;
      while (seed == 2 && !extents.empty() && extents[0] == 1)
        extents.erase(extents.begin());
      auto buffer =
          std::make_unique<Buffer>(extents, 4, Layout::RowMajor, seed == 1);
      buffer->fill(seed);
      return buffer;
    };
    for (size_t a = 0; a < patterns; ++a)
      for (size_t b = 0; b < patterns; ++b) {
        Buffers pair;
        pair.push_back(operand(a, 1));
        pair.push_back(operand(b, 2));
        check(call, program, pair);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST_F(Launch, rt7_rankIsDecidedAtRunTime) {
  // One program, as compiled once, on operands of ranks 0 to 12.
  TestProgram program(2);
  program.result(program.stage(Op::Mix, {0, 1}));
  CallContext call;
  declareResults(call, program);
  for (size_t rank = 0; rank <= 12; ++rank) {
    Extents a(rank, 2), b(rank, 2);
    for (size_t axis = 0; axis < rank; ++axis)
      (axis % 2 ? a : b)[axis] = 1;
    Buffers pair;
    pair.push_back(std::make_unique<Buffer>(a, 4));
    pair.push_back(std::make_unique<Buffer>(b, 4));
    pair[0]->fill(1);
    pair[1]->fill(2);
    check(call, program, pair);
  }
}

TEST_F(Launch, ext3_emptyResultsCallNoKernel) {
  TestProgram program(2);
  program.result(program.stage(Op::Mix, {0, 1}));
  CallContext call;
  declareResults(call, program);
  Buffers pair;
  pair.push_back(std::make_unique<Buffer>(Extents{4, 0, 3}, 4));
  pair.push_back(std::make_unique<Buffer>(Extents{1, 3}, 4));
  int64_t before = kernelCalls;
  check(call, program, pair);
  EXPECT_EQ(kernelCalls, before);
}

TEST_F(Launch, rowsAreComputedOncePerLevel) {
  // The scale of a row of 300 is computed for the row, not for the matrix.
  TestProgram program(2);
  int32_t scaled = program.stage(Op::Scale, {1});
  program.result(program.stage(Op::Mix, {0, scaled}));
  CallContext call;
  declareResults(call, program);
  Buffers pair;
  pair.push_back(std::make_unique<Buffer>(Extents{1000, 320}, 4));
  pair.push_back(std::make_unique<Buffer>(Extents{320}, 4));
  pair[0]->fill(1);
  pair[1]->fill(2);
  kernelElements = 0;
  check(call, program, pair);
  EXPECT_EQ(kernelElements, 1000 * 320 + 320);
}

TEST_F(Launch, columnsAreFilledOnceAndUsedSeveralTimesInARow) {
  // Two columns and a row, beside a value that stays within the chunk; rows of
  // several calls, with and without a part of a strip at their end.
  TestProgram program(4);
  int32_t inner = program.stage(Op::Three, {0, 1, 2});
  program.result(program.stage(Op::Mix, {inner, 3}));
  CallContext call;
  declareResults(call, program);
  for (int64_t columns : {512, 576, 700, 1009, 1024, 1100, 4133}) {
    Buffers operands;
    for (const Extents &shape : {Extents{17, columns}, Extents{17, 1},
                                 Extents{17, 1}, Extents{columns}})
      operands.push_back(std::make_unique<Buffer>(shape, 4));
    for (size_t i = 0; i < operands.size(); ++i)
      operands[i]->fill(i);
    check(call, program, operands);
  }
}

/// Rows that are read and written where they are, over several axes, with
/// columns; threads begin in the middle of an axis.
TEST_F(Launch, wholeRowsOverSeveralAxes) {
  TestProgram program(3);
  program.result(program.stage(Op::Three, {0, 1, 2}));
  for (int64_t length : {512, 1009})
    for (const Extents &other :
         {Extents{length}, Extents{5, length}, Extents{7, 1, length},
          Extents{9, 1, 1, length}, Extents{5, 1}, Extents{7, 1, 1},
          Extents{9, 7, 1, 1}, Extents{1}})
      for (int32_t threads : {1, 2, 3}) {
        Buffers operands;
        for (const Extents &shape :
             {Extents{9, 7, 5, length}, other, Extents{9, 1, 5, 1}})
          operands.push_back(std::make_unique<Buffer>(shape, 4));
        for (size_t i = 0; i < operands.size(); ++i)
          operands[i]->fill(i + 1);
        CallContext call;
        call.setThreads(threads);
        declareResults(call, program);
        check(call, program, operands);
      }
}

TEST_F(Launch, largeResultsAreStreamedWhereverTheirRowsBegin) {
  // 37 MB, in rows of which most begin within a cache line, and one by one in
  // patterns that are filled anew.
  TestProgram program(2, 8);
  program.result(program.stage(Op::Mix, {0, 1}));
  CallContext call;
  declareResults(call, program);
  struct Case {
    Extents full, other;
    Layout layout;
  };
  for (const Case &test :
       {Case{{2300, 1009}, {2300, 1}, Layout::RowMajor},
        Case{{2300, 1009}, {1009}, Layout::Reversed},
        Case{{464000, 5}, {464000, 1}, Layout::RowMajor},
        Case{{1009, 2300}, {1009, 2300}, Layout::Transposed}}) {
    Buffers operands;
    operands.push_back(std::make_unique<Buffer>(test.full, 8));
    operands.push_back(std::make_unique<Buffer>(test.other, 8, test.layout));
    operands[0]->fill(1);
    operands[1]->fill(2);
    streamedCalls = 0;
    check(call, program, operands);
#if defined(__x86_64__)
    EXPECT_GT(streamedCalls, 0);
#endif
  }
}

TEST_F(Launch, rt6_resultsThatDependOnFewerAxes) {
  // Results: an operand, a small value, a full one, the same again, and a
  // value of no operand at all.
  TestProgram program(3);
  int32_t small = program.stage(Op::Scale, {1});
  int32_t full = program.stage(Op::Mix, {0, small});
  int32_t none = program.stage(Op::Answer, {});
  for (int32_t value : {1, small, full, full, none, 0, 2})
    program.result(value);
  CallContext call;
  declareResults(call, program);
  for (const Extents &shape :
       {Extents{2, 3}, Extents{100, 7}, Extents{20, 300}}) {
    Buffers operands;
    operands.push_back(std::make_unique<Buffer>(shape, 4));
    operands.push_back(std::make_unique<Buffer>(Extents{shape[1]}, 4));
    operands.push_back(std::make_unique<Buffer>(Extents{1, 1, 1}, 4));
    for (auto &buffer : operands)
      buffer->fill(3);
    check(call, program, operands);
  }
}

TEST_F(Launch, manyOperandsAndStages) {
  // A chain with more of everything than a fixed table would hold.
  constexpr int32_t kCount = 300;
  TestProgram program(kCount);
  int32_t value = 0;
  for (int32_t i = 1; i < kCount; ++i)
    value = program.stage(Op::Mix, {value, i});
  program.result(value);
  CallContext call;
  declareResults(call, program);
  Buffers operands;
  for (int32_t i = 0; i < kCount; ++i) {
    operands.push_back(std::make_unique<Buffer>(i % 3 == 0   ? Extents{10, 30}
                                                : i % 3 == 1 ? Extents{30}
                                                             : Extents{10, 1},
                                                4));
    operands.back()->fill(uint64_t(i));
  }
  check(call, program, operands);
}

} // namespace
