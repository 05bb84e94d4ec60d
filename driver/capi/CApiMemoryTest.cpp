//===- CApiMemoryTest.cpp - the caller's memory through the C interface ---===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/driver/CApiFixture.h"

#include <array>
#include <vector>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// Calls a program that gives each element of a matrix of 3x4, which lies in an
/// array of 64 numbers, ten times its row and once its column.
class MemoryOfStrides : public CInterface {
protected:
  void compileWithType(const std::string &type) {
    std::string text = R"(
      func.func @main(%a: TYPE) {
        %ten = arith.constant 10 : index
        affine.for %i = 0 to 3 {
          affine.for %j = 0 to 4 {
            %row = arith.muli %i, %ten : index
            %place = arith.addi %row, %j : index
            %number = arith.index_cast %place : index to i64
            affine.store %number, %a[%i, %j] : TYPE
          }
        }
        return
      })";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    ASSERT_TRUE(compile(text.c_str())) << diagnostics();
    call = broadloomInvocationCreate(module, nullptr);
  }

  /// Runs the call on the matrix whose first element is `first` of the numbers.
  int32_t run(int64_t first, std::array<int64_t, 2> strides) {
    int64_t extents[] = {3, 4};
    BroadloomTensor matrix;
    EXPECT_EQ(broadloomTensorBorrow(BROADLOOM_I64, 2, extents, strides.data(),
                                    numbers.data() + first, &matrix),
              BROADLOOM_OK);
    const BroadloomTensor *arguments[] = {&matrix};
    return broadloomInvocationRun(call, arguments, 1);
  }

  ~MemoryOfStrides() override { broadloomInvocationDestroy(call); }

  BroadloomInvocation *call = nullptr;
  std::vector<int64_t> numbers = std::vector<int64_t>(64, -1);
};

TEST_F(MemoryOfStrides, mem1_areWrittenInPlace) {
  compileWithType("memref<3x4xi64, strided<[?, ?], offset: ?>>");
  const std::pair<int64_t, std::array<int64_t, 2>> layouts[] = {
      {0, {4, 1}}, {5, {1, 3}}, {63, {-16, -2}}, {40, {-20, 6}}, {7, {9, 2}}};
  for (auto [first, strides] : layouts) {
    numbers.assign(64, -1);
    std::vector<int64_t> expected = numbers;
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j)
        expected[first + i * strides[0] + j * strides[1]] = 10 * i + j;
    EXPECT_EQ(run(first, strides), BROADLOOM_OK)
        << broadloomInvocationMessage(call);
    EXPECT_EQ(numbers, expected) << "from " << first;
  }
}

TEST_F(MemoryOfStrides, mem1_areThoseOfTheType) {
  compileWithType("memref<3x4xi64>");
  EXPECT_EQ(run(0, {4, 1}), BROADLOOM_OK) << broadloomInvocationMessage(call);
  numbers.assign(64, -1);
  EXPECT_NE(run(0, {8, 1}), BROADLOOM_OK);
  EXPECT_STREQ(
      broadloomInvocationMessage(call),
      "argument 'a' has strides [8, 1], but its type is row-major; give "
      "contiguous memory, or give the argument a type with 'strided' and open "
      "strides");
  EXPECT_EQ(numbers, std::vector<int64_t>(64, -1));
}

} // namespace
