//===- LaunchTest.cpp - programs against a loop over all elements ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

using namespace broadloom;
using namespace broadloom::test;

namespace {

using Buffers = std::vector<std::unique_ptr<Buffer>>;

std::vector<const BroadloomTensor *> tensorsOf(const Buffers &buffers) {
  std::vector<const BroadloomTensor *> tensors;
  for (const auto &buffer : buffers)
    tensors.push_back(buffer->tensor());
  return tensors;
}

/// Runs and compares all results; `call` has them declared.
void check(CallContext &call, TestProgram &program, const Buffers &buffers) {
  std::vector<Extents> shapes;
  for (const auto &buffer : buffers)
    shapes.push_back(buffer->extents);
  Extents expected;
  bool fits = broadcastReference(shapes, expected);
  auto operands = tensorsOf(buffers);
  int32_t status = runProgram(call, program, operands);
  if (!fits) {
    ASSERT_EQ(status, BROADLOOM_GUARD_FAILED);
    ASSERT_NE(call.failure().message, "");
    return;
  }
  ASSERT_EQ(status, BROADLOOM_OK) << call.failure().message;
  for (int32_t i = 0; i < call.resultCount(); ++i) {
    BroadloomTensor result;
    ASSERT_EQ(call.takeResult(i, &result), BROADLOOM_OK);
    std::string difference = compare(result, program, i, operands, expected);
    broadloomTensorRelease(&result);
    ASSERT_EQ(difference, "")
        << program.describe() << " on "
        << formatExtents(expected.data(), int64_t(expected.size()));
  }
}

class Launch : public testing::Test {
protected:
  void SetUp() override { kernelMisuse = 0; }
  void TearDown() override { EXPECT_EQ(kernelMisuse, 0); }
};

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

/// A random program over random operands that broadcast.
struct RandomCase {
  explicit RandomCase(std::mt19937 &random) {
    auto pick = [&](int64_t from, int64_t to) {
      return std::uniform_int_distribution<int64_t>(from, to)(random);
    };
    int32_t bytes = int32_t(1) << pick(0, 3);
    int32_t numOperands = int32_t(pick(1, 4));
    size_t rank = size_t(pick(0, 5));
    Extents full;
    int64_t count = 1;
    for (size_t axis = 0; axis < rank; ++axis) {
      const int64_t choices[] = {1, 2, 3, 4, 7, 16, 33, 70, 260, 700, 2000};
      int64_t extent = choices[pick(0, 10)];
      if (count * extent > 20000)
        extent = 2;
      count *= extent;
      full.push_back(extent);
    }
    std::shuffle(full.begin(), full.end(), random);
    for (int32_t i = 0; i < numOperands; ++i) {
      Extents extents = full;
      for (int64_t &extent : extents)
        if (pick(0, 2) == 0)
          extent = 1;
      extents.erase(extents.begin(),
                    extents.begin() + pick(0, int64_t(rank)) * pick(0, 1));
      buffers.push_back(std::make_unique<Buffer>(
          extents, bytes, Layout(pick(0, 5)), pick(0, 1) == 1));
      buffers.back()->fill(uint64_t(pick(1, 1000)));
    }
    program = std::make_unique<TestProgram>(numOperands, bytes);
    int32_t numValues = numOperands;
    for (int64_t stage = pick(0, 6); stage > 0; --stage) {
      Op op = Op(pick(0, 4));
      std::vector<int32_t> inputs;
      for (int32_t k = 0; k < inputsOf(op); ++k)
        inputs.push_back(int32_t(pick(0, numValues - 1)));
      program->stage(op, inputs);
      numValues += outputsOf(op);
    }
    for (int64_t result = pick(1, 3); result > 0; --result)
      program->result(int32_t(pick(0, numValues - 1)));
  }

  Buffers buffers;
  std::unique_ptr<TestProgram> program;
};

TEST_F(Launch, randomProgramsOnRandomLayouts) {
  std::mt19937 random(20);
  CallContext call;
  for (int i = 0; i < 1500; ++i) {
    SCOPED_TRACE(i);
    RandomCase test(random);
    declareResults(call, *test.program);
    call.setThreads(i % 3 + 1);
    check(call, *test.program, test.buffers);
    if (HasFatalFailure())
      return;
  }
}

TEST_F(Launch, threadsGiveTheSameBytes) {
  std::mt19937 random(7);
  TestProgram program(3, 2);
  int32_t early = program.stage(Op::Scale, {1});
  int32_t middle = program.stage(Op::Both, {0, early});
  program.result(program.stage(Op::Three, {middle, middle + 1, 2}));
  program.result(middle);
  for (const Extents &shape :
       {Extents{500, 777}, Extents{100000, 3}, Extents{7, 60001}}) {
    Buffers operands;
    operands.push_back(std::make_unique<Buffer>(shape, 2));
    operands.push_back(
        std::make_unique<Buffer>(Extents{shape[1]}, 2, Layout::Reversed));
    operands.push_back(std::make_unique<Buffer>(Extents{shape[0], 1}, 2));
    for (auto &buffer : operands)
      buffer->fill(random());
    std::vector<BroadloomTensor> first;
    for (int32_t threads : {1, 2, 8}) {
      CallContext call;
      call.setThreads(threads);
      declareResults(call, program);
      ASSERT_EQ(runProgram(call, program, tensorsOf(operands)), BROADLOOM_OK);
      for (int32_t i = 0; i < 2; ++i) {
        BroadloomTensor result;
        ASSERT_EQ(call.takeResult(i, &result), BROADLOOM_OK);
        if (threads == 1) {
          first.push_back(result);
          continue;
        }
        EXPECT_EQ(memcmp(first[size_t(i)].data, result.data,
                         size_t(2 * broadloomTensorCount(&result))),
                  0);
        broadloomTensorRelease(&result);
      }
    }
    CallContext call;
    declareResults(call, program);
    check(call, program, operands);
    for (BroadloomTensor &tensor : first)
      broadloomTensorRelease(&tensor);
  }
}

TEST_F(Launch, severalThreadsCallAtOnce) {
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 4; ++caller)
    callers.emplace_back([caller] {
      std::mt19937 random(caller);
      CallContext call;
      call.setThreads(int32_t(caller % 2) + 1);
      for (int i = 0; i < 60; ++i) {
        RandomCase test(random);
        declareResults(call, *test.program);
        check(call, *test.program, test.buffers);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}

} // namespace
