//===- CallTest.cpp - outputs, results and failures of calls --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"
#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// A tensor on a vector of the test's.
BroadloomTensor borrow(std::vector<uint32_t> &data, Extents extents,
                       const Extents &strides = {}, int64_t first = 0) {
  BroadloomTensor tensor;
  broadloomTensorBorrow(BROADLOOM_U32, int32_t(extents.size()), extents.data(),
                        strides.empty() ? nullptr : strides.data(),
                        data.data() + first, &tensor);
  return tensor;
}

/// Adds with a program of one stage, as compiled code would.
class Add {
public:
  Add() : program(2) {
    program.result(program.stage(Op::Mix, {0, 1}));
    declareResults(call, program);
  }
  int32_t operator()(const BroadloomTensor &a, const BroadloomTensor &b) {
    return runProgram(call, program, {&a, &b});
  }
  static uint32_t expected(uint32_t a, uint32_t b) { return 3 * a + b + 1; }

  TestProgram program;
  CallContext call;
};

std::vector<uint32_t> counting(size_t count, uint32_t from) {
  std::vector<uint32_t> data(count);
  for (uint32_t &value : data)
    value = from++;
  return data;
}

TEST(Call, resultsCanBeTakenOnce) {
  Add add;
  auto a = counting(200, 5), b = counting(200, 900);
  ASSERT_EQ(add(borrow(a, {200}), borrow(b, {200})), BROADLOOM_OK);
  BroadloomTensor result;
  ASSERT_EQ(add.call.takeResult(0, &result), BROADLOOM_OK);
  EXPECT_EQ(result.elementType, BROADLOOM_U32);
  EXPECT_EQ(element(result, {199}), Add::expected(a[199], b[199]));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(result.data) % kMemoryAlignment, 0u);
  broadloomTensorRelease(&result);
  EXPECT_EQ(add.call.takeResult(0, &result), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(add.call.takeResult(1, &result), BROADLOOM_INVALID_ARGUMENT);
}

TEST(Call, computesInTheCallersOutput) {
  Add add;
  auto a = counting(6, 5), b = counting(3, 900);
  std::vector<uint32_t> out(6);
  BroadloomTensor output = borrow(out, {2, 3});
  ASSERT_EQ(add.call.setOutput(0, &output), BROADLOOM_OK);
  ASSERT_EQ(add(borrow(a, {2, 3}), borrow(b, {3})), BROADLOOM_OK);
  for (size_t i = 0; i < 6; ++i)
    EXPECT_EQ(out[i], Add::expected(a[i], b[i % 3]));
  BroadloomTensor result;
  ASSERT_EQ(add.call.takeResult(0, &result), BROADLOOM_OK);
  EXPECT_EQ(result.data, out.data());
  EXPECT_EQ(result.release, nullptr);
}

TEST(Call, writesStridedOutputs) {
  for (int64_t count : {5, 100, 1000}) {
    Add add;
    auto a = counting(size_t(2 * count), 5), b = counting(1, 900);
    // Two columns, the second first, in rows of three.
    std::vector<uint32_t> out(size_t(3 * count), 77);
    BroadloomTensor output = borrow(out, {count, 2}, {3, -1}, 1);
    ASSERT_EQ(add.call.setOutput(0, &output), BROADLOOM_OK);
    ASSERT_EQ(add(borrow(a, {count, 2}), borrow(b, {})), BROADLOOM_OK);
    for (size_t i = 0; i < size_t(count); ++i) {
      EXPECT_EQ(out[3 * i + 1], Add::expected(a[2 * i], 900));
      EXPECT_EQ(out[3 * i], Add::expected(a[2 * i + 1], 900));
      EXPECT_EQ(out[3 * i + 2], 77u);
    }
  }
}

TEST(Call, outputsThatOverlapArgumentsAreRight) {
  // The output is the argument, shifted by some elements.
  for (int64_t shift : {0, 1, 3, 50}) {
    Add add;
    auto memory = counting(400, 5);
    std::vector<uint32_t> before = memory;
    BroadloomTensor argument = borrow(memory, {300}, {}, 0);
    BroadloomTensor output = borrow(memory, {300}, {}, shift);
    ASSERT_EQ(add.call.setOutput(0, &output), BROADLOOM_OK);
    ASSERT_EQ(add(argument, argument), BROADLOOM_OK);
    for (size_t i = 0; i < 300; ++i)
      EXPECT_EQ(memory[i + size_t(shift)], Add::expected(before[i], before[i]));
  }
}

TEST(Call, outputsSwappedWithArguments) {
  // Returns its arguments in the other order, into each other's memory.
  auto swap = [](BroadloomCall *call, const BroadloomView *args) {
    if (int32_t status = broadloomReturn(call, 0, 4, &args[1]))
      return status;
    return broadloomReturn(call, 1, 4, &args[0]);
  };
  std::vector<uint32_t> a = counting(10, 1), b = counting(10, 100);
  BroadloomTensor tensorA = borrow(a, {10}), tensorB = borrow(b, {10});
  CallContext call;
  BroadloomElementType types[] = {BROADLOOM_U32, BROADLOOM_U32};
  call.setResultTypes(types, 2);
  call.setOutput(0, &tensorA);
  call.setOutput(1, &tensorB);
  const BroadloomTensor *arguments[] = {&tensorA, &tensorB};
  ASSERT_EQ(call.run(swap, arguments, 2), BROADLOOM_OK);
  EXPECT_EQ(a, counting(10, 100));
  EXPECT_EQ(b, counting(10, 1));
}

TEST(Call, oneBufferReturnedTwice) {
  auto twice = [](BroadloomCall *call, const BroadloomView *args) {
    int64_t extents[] = {3};
    alignas(8) char space[sizeof(BroadloomDescriptor) + 16];
    auto *descriptor = reinterpret_cast<BroadloomDescriptor *>(space);
    if (int32_t status =
            broadloomAllocate(call, "", 0, nullptr, 4, 1, extents, descriptor))
      return status;
    for (uint32_t i = 0; i < 3; ++i)
      static_cast<uint32_t *>(descriptor->aligned)[i] = i + 7;
    // Backwards as result 0, although the buffer was made for it.
    alignas(8) char reversed[sizeof space];
    memcpy(reversed, space, sizeof space);
    auto *other = reinterpret_cast<BroadloomDescriptor *>(reversed);
    other->offset = 2;
    other->dims[1] = -1;
    BroadloomView backwards{1, other}, forwards{1, descriptor};
    if (int32_t status = broadloomReturn(call, 0, 4, &backwards))
      return status;
    return broadloomReturn(call, 1, 4, &forwards);
  };
  CallContext call;
  BroadloomElementType types[] = {BROADLOOM_U32, BROADLOOM_U32};
  for (bool withOutputs : {false, true}) {
    call.setResultTypes(types, 2);
    std::vector<uint32_t> a(3), b(3);
    BroadloomTensor outputs[] = {borrow(a, {3}), borrow(b, {3})};
    if (withOutputs) {
      call.setOutput(0, &outputs[0]);
      call.setOutput(1, &outputs[1]);
    }
    ASSERT_EQ(call.run(twice, nullptr, 0), BROADLOOM_OK)
        << call.failure().message;
    BroadloomTensor results[2];
    for (int i : {0, 1})
      ASSERT_EQ(call.takeResult(i, &results[i]), BROADLOOM_OK);
    for (int64_t i : {0, 1, 2}) {
      EXPECT_EQ(element(results[0], {i}), uint64_t(9 - i));
      EXPECT_EQ(element(results[1], {i}), uint64_t(7 + i));
    }
    for (int i : {0, 1})
      broadloomTensorRelease(&results[i]);
  }
}

TEST(Call, outputsThatDoNotFit) {
  Add add;
  auto a = counting(6, 5);
  std::vector<uint32_t> out(12);
  BroadloomTensor argument = borrow(a, {2, 3});
  auto fails = [&](const BroadloomTensor &output, const char *message) {
    add.call.setOutput(0, &output);
    EXPECT_EQ(add(argument, argument), BROADLOOM_INVALID_ARGUMENT);
    EXPECT_EQ(add.call.failure().message, message);
    EXPECT_EQ(out, std::vector<uint32_t>(12));
  };
  fails(borrow(out, {2, 4}),
        "output 0 has shape 2x4, the result has shape 2x3");
  fails(borrow(out, {3, 2}),
        "output 0 has shape 3x2, the result has shape 2x3");
  fails(borrow(out, {6}), "output 0 has shape 6, the result has shape 2x3");
  fails(borrow(out, {2, 3}, {0, 1}), "output 0 has elements that share memory");
  BroadloomTensor other = borrow(out, {2, 3});
  other.elementType = BROADLOOM_F32;
  fails(other, "output 0 has elements of type f32, the function's result has "
               "ui32");
  BroadloomTensor fits = borrow(out, {2, 3});
  add.call.setOutput(0, &fits);
  EXPECT_EQ(add(argument, argument), BROADLOOM_OK);
  EXPECT_EQ(add.call.failure().message, "");
}

TEST(Call, outputsThatOverlapEachOther) {
  TestProgram program(1);
  program.result(program.stage(Op::Scale, {0}));
  program.result(program.stage(Op::Scale, {0}));
  CallContext call;
  declareResults(call, program);
  std::vector<uint32_t> memory(100);
  auto a = counting(50, 0);
  BroadloomTensor argument = borrow(a, {50});
  BroadloomTensor first = borrow(memory, {50}),
                  second = borrow(memory, {50}, {}, 49);
  call.setOutput(0, &first);
  call.setOutput(1, &second);
  EXPECT_EQ(runProgram(call, program, {&argument}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.failure().message, "output 0 and output 1 share memory");
}

TEST(Call, unalignedArguments) {
  Add add;
  auto a = counting(101, 5);
  BroadloomTensor argument = borrow(a, {100});
  argument.data = static_cast<char *>(argument.data) + 2;
  ASSERT_EQ(add(argument, argument), BROADLOOM_OK);
  BroadloomTensor result;
  ASSERT_EQ(add.call.takeResult(0, &result), BROADLOOM_OK);
  uint32_t last = uint32_t(element(argument, {99}));
  EXPECT_EQ(element(result, {99}), Add::expected(last, last));
  broadloomTensorRelease(&result);
}

TEST(Call, rt2_incompatibleOperandsAreReported) {
  Add add;
  auto a = counting(12, 5);
  EXPECT_EQ(add(borrow(a, {4, 3}), borrow(a, {4, 2})), BROADLOOM_GUARD_FAILED);
  const Failure &failure = add.call.failure();
  EXPECT_EQ(failure.status, BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(failure.axis, 1);
  EXPECT_EQ(failure.values, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(failure.message,
            "operands are not broadcast-compatible along axis 1: extents 3 and "
            "2 (operand shapes 4x3 and 4x2)");
}

TEST(Call, moreThanThereIsMemoryFor) {
  Add add;
  std::vector<uint32_t> one = {1};
  // A quarter of the address space, from one element.
  BroadloomTensor row = borrow(one, {int64_t(1) << 30, 1}, {0, 0});
  BroadloomTensor column = borrow(one, {int64_t(1) << 30}, {0});
  EXPECT_EQ(add(row, column), BROADLOOM_OUT_OF_MEMORY);
  EXPECT_EQ(add.call.failure().message,
            "there is no memory for a tensor of shape 1073741824x1073741824, "
            "4611686018427387904 bytes");
  BroadloomTensor huge = borrow(one, {int64_t(1) << 40, 1}, {0, 0});
  BroadloomTensor wide = borrow(one, {int64_t(1) << 40}, {0});
  EXPECT_EQ(add(huge, wide), BROADLOOM_OUT_OF_MEMORY);
  EXPECT_NE(add.call.failure().message.find("larger than any memory"),
            std::string::npos);
}

TEST(Call, rt2_failingCallsLeakNothing) {
  // A temporary, a result, then the failure.
  auto failing = [](BroadloomCall *call, const BroadloomView *args) {
    int64_t extents[] = {1000};
    alignas(8) char space[sizeof(BroadloomDescriptor) + 16];
    auto *descriptor = reinterpret_cast<BroadloomDescriptor *>(space);
    for (int32_t slot : {-1, 0})
      if (int32_t status = broadloomAllocate(call, "", slot, nullptr, 4, 1,
                                             extents, descriptor))
        return status;
    static const BroadloomGuardSite site = {"tosa.add", "m.mlir:1:2", 0, 2,
                                            "extents {0} and {1}"};
    int64_t values[] = {3, 2};
    return broadloomFail(call, &site, values);
  };
  CallContext call;
  BroadloomElementType type = BROADLOOM_F32;
  call.setResultTypes(&type, 1);
  call.run(failing, nullptr, 0);
  MemoryUse before = memoryUse();
  for (int i = 0; i < 100000; ++i)
    ASSERT_EQ(call.run(failing, nullptr, 0), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(memoryUse().used, before.used);
  EXPECT_EQ(memoryUse().cached, before.cached);
  EXPECT_EQ(call.failure().message, "m.mlir:1:2: 'tosa.add': extents 3 and 2");
}

TEST(Call, thePlaceOfAFailureIsForgotten) {
  auto allocate = [](BroadloomCall *call, const BroadloomView *) {
    int64_t extents[] = {INT64_MAX};
    alignas(8) char space[sizeof(BroadloomDescriptor) + 16];
    return broadloomAllocate(call, "m.mlir:1:2", -1, nullptr, 4, 1, extents,
                             reinterpret_cast<BroadloomDescriptor *>(space));
  };
  auto fail = [](BroadloomCall *call, const BroadloomView *) {
    return call->failMemory();
  };
  CallContext call;
  EXPECT_EQ(call.run(allocate, nullptr, 0), BROADLOOM_OUT_OF_MEMORY);
  EXPECT_EQ(call.failure().location, "m.mlir:1:2");
  EXPECT_EQ(call.run(fail, nullptr, 0), BROADLOOM_OUT_OF_MEMORY);
  EXPECT_EQ(call.failure().message, "there is no memory for a call");
}

TEST(Call, aFunctionThatForgetsAResult) {
  CallContext call;
  BroadloomElementType type = BROADLOOM_F32;
  call.setResultTypes(&type, 1);
  auto nothing = [](BroadloomCall *, const BroadloomView *) { return 0; };
  EXPECT_EQ(call.run(nothing, nullptr, 0), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.failure().message, "the function did not return result 0");
}

} // namespace
