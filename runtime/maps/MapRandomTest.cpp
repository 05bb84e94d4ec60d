//===- MapRandomTest.cpp - random programs, and threads -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/LaunchChecks.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

using namespace broadloom;
using namespace broadloom::test;

namespace {

using LaunchRandom = Launch;

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

TEST_F(LaunchRandom, randomProgramsOnRandomLayouts) {
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

TEST_F(LaunchRandom, threadsGiveTheSameBytes) {
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

TEST_F(LaunchRandom, severalThreadsCallAtOnce) {
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
