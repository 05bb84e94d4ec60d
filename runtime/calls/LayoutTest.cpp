//===- LayoutTest.cpp - operands in any order, large results --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace broadloom;
using namespace broadloom::test;

namespace {

class Layouts : public testing::Test {
protected:
  void SetUp() override { kernelMisuse = 0; }
  void TearDown() override { EXPECT_EQ(kernelMisuse, 0); }
};

TEST_F(Layouts, bcast3_axesInAnyOrder) {
  // Each operand has its axes in memory in an order of its own: rows on both
  // sides of what is worth a kernel call, bands that do not divide an axis.
  CallContext call;
  for (int32_t bytes : {1, 2, 4, 8}) {
    TestProgram program(2, bytes);
    program.result(program.stage(Op::Mix, {0, 1}));
    declareResults(call, program);
    for (const Extents &extents : std::vector<Extents>{
             {5, 37, 300}, {35, 3, 130}, {9, 21, 64}, {7, 40, 11}, {3, 2000}}) {
      std::vector<size_t> order(extents.size());
      std::iota(order.begin(), order.end(), 0);
      do {
        // The last in `order` is the densest; every other one is reversed.
        Extents strides(extents.size());
        int64_t stride = 1, offset = 0;
        for (size_t i = order.size(); i-- > 0;) {
          int64_t extent = extents[order[i]];
          strides[order[i]] = i % 2 ? stride : -stride;
          offset += i % 2 ? 0 : (extent - 1) * stride;
          stride *= extent;
        }
        std::vector<char> memory(size_t(stride * bytes));
        std::mt19937 random(3);
        for (char &byte : memory)
          byte = char(random());
        BroadloomTensor permuted;
        broadloomTensorBorrow(typeOfBytes(bytes), int32_t(extents.size()),
                              extents.data(), strides.data(), memory.data(),
                              &permuted);
        permuted.offset = offset;
        Buffer plain(extents, bytes);
        plain.fill(1);
        for (int32_t threads : {1, 3}) {
          call.setThreads(threads);
          std::vector<const BroadloomTensor *> operands = {plain.tensor(),
                                                           &permuted};
          ASSERT_EQ(runProgram(call, program, operands), BROADLOOM_OK);
          BroadloomTensor result;
          ASSERT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
          std::string difference =
              compare(result, program, 0, operands, extents);
          broadloomTensorRelease(&result);
          ASSERT_EQ(difference, "");
        }
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST_F(Layouts, largeResultsAreStreamed) {
  // 48 MiB and more: rows that begin anywhere in a cache line, a value of
  // fewer axes, a transposed operand, two results of which one is read again.
  const int64_t rows = 1301, columns = 1559;
  TestProgram program(3, 8);
  int32_t early = program.stage(Op::Scale, {1});
  int32_t both = program.stage(Op::Both, {0, early});
  program.result(both);
  program.result(program.stage(Op::Mix, {both + 1, 2}));
  CallContext call;
  declareResults(call, program);
  std::vector<uint64_t> a, b, c;
  a.resize(size_t(rows * columns));
  b.resize(size_t(rows));
  c.resize(a.size());
  std::mt19937_64 random(5);
  for (auto *data : {&a, &b, &c})
    for (uint64_t &value : *data)
      value = random();
  BroadloomTensor operands[3];
  int64_t full[] = {rows, columns}, column[] = {rows, 1};
  int64_t transposed[] = {1, rows};
  broadloomTensorBorrow(BROADLOOM_U64, 2, full, nullptr, a.data(),
                        &operands[0]);
  broadloomTensorBorrow(BROADLOOM_U64, 2, column, nullptr, b.data(),
                        &operands[1]);
  broadloomTensorBorrow(BROADLOOM_U64, 2, full, transposed, c.data(),
                        &operands[2]);
  for (int32_t threads : {1, 2}) {
    call.setThreads(threads);
    ASSERT_EQ(
        runProgram(call, program, {&operands[0], &operands[1], &operands[2]}),
        BROADLOOM_OK);
    BroadloomTensor sum, mixed;
    ASSERT_EQ(call.takeResult(0, &sum), BROADLOOM_OK);
    ASSERT_EQ(call.takeResult(1, &mixed), BROADLOOM_OK);
    int64_t wrong = 0;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < columns; ++i) {
        size_t at = size_t(row * columns + i);
        uint64_t scaled = 5 * b[size_t(row)] + 7;
        uint64_t other = c[size_t(i * rows + row)];
        wrong += static_cast<uint64_t *>(sum.data)[at] != a[at] + scaled;
        wrong += static_cast<uint64_t *>(mixed.data)[at] !=
                 3 * (a[at] - scaled) + other + 1;
      }
    EXPECT_EQ(wrong, 0);
    broadloomTensorRelease(&sum);
    broadloomTensorRelease(&mixed);
  }
}

} // namespace
