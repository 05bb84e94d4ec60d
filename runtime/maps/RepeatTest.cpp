//===- RepeatTest.cpp - operands that repeat within rows ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// Operands that repeat after `columns` and after `others` elements beside a
/// full one of `rows` x `columns`, on `threads` threads, to an output that
/// begins `shift` elements behind a cache line.
void checkRepeating(int64_t rows, int64_t columns, int64_t others,
                    int32_t threads, int64_t shift) {
  SCOPED_TRACE(testing::Message()
               << rows << " x " << columns << ", " << others << ", " << threads
               << " threads, at " << shift);
  TestProgram program(3);
  program.result(program.stage(Op::Three, {0, 1, 2}));
  Extents full = {rows / others, others, columns};
  Buffer a(full, 4), b({columns}, 4, Layout::Reversed), c({others, 1}, 4);
  a.fill(1);
  b.fill(2);
  c.fill(3);
  std::vector<const BroadloomTensor *> operands = {a.tensor(), b.tensor(),
                                                   c.tensor()};
  int64_t count = broadloomTensorCount(a.tensor());
  std::vector<uint32_t> memory(size_t(count + 3 * 16), 0xABCDABCD);
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  size_t first = (-address & 63) / 4 + size_t(shift);
  BroadloomTensor output;
  ASSERT_EQ(broadloomTensorBorrow(BROADLOOM_U32, 3, full.data(), nullptr,
                                  memory.data() + first, &output),
            BROADLOOM_OK);
  CallContext call;
  call.setThreads(threads);
  declareResults(call, program);
  ASSERT_EQ(call.setOutput(0, &output), BROADLOOM_OK);
  kernelMisuse = 0;
  ASSERT_EQ(runProgram(call, program, operands), BROADLOOM_OK)
      << call.failure().message;
  EXPECT_EQ(kernelMisuse, 0);
  EXPECT_EQ(compare(output, program, 0, operands, full), "");
  for (size_t i = 0; i < memory.size(); ++i)
    if (i < first || i >= first + size_t(count)) {
      ASSERT_EQ(memory[i], 0xABCDABCD) << "beside the result, at " << i;
    }
}

TEST(Repeat, periodsOnBothSidesOfStripsAndChunks) {
  // The product of the last two is the other period, up to more than is kept
  // for all chunks.
  for (int64_t columns : {2, 3, 13, 16, 63, 64, 65, 127, 250})
    for (int64_t others : {1, 2, 5, 17})
      for (int64_t repeats : {1, 2, 40})
        checkRepeating(repeats * others, columns, others, 1, repeats % 3);
}

TEST(Repeat, resultsOfLittleMoreThanAStripOrAChunk) {
  for (int64_t rows = 20; rows < 60; ++rows)
    checkRepeating(rows, 3, 1, 1, rows % 16);
  for (int64_t rows : {511, 512, 513, 533, 534, 1023, 1025})
    for (int64_t columns : {3, 7})
      checkRepeating(rows, columns, 1, 1, 0);
}

TEST(Repeat, streamedWhereverTheResultBegins) {
  for (int32_t threads : {1, 2, 3})
    for (int64_t shift : {0, 1, 5, 15}) {
      streamedCalls = 0;
      checkRepeating(2000003, 3, 1, threads, shift);
#if defined(__x86_64__)
      EXPECT_GT(streamedCalls, 0);
#endif
    }
  checkRepeating(1000000, 3, 1000, 2, 3);
  checkRepeating(23000, 127, 1, 2, 7);
}

} // namespace
