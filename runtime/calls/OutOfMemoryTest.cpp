//===- OutOfMemoryTest.cpp - nothing is thrown through the interface ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each call is made again and again, and each time one more allocation of C++
// is granted before all others fail. Whatever fails, the call returns its
// status, with a message.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Abi.h"
#include "runtime/abi/Processor.h"
#include "runtime/calls/Invoke.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

/// Allocations that this thread is still granted; negative for any number.
thread_local int granted = -1;
/// Whether one has been refused.
thread_local bool refused = false;

void *allocate(size_t bytes) noexcept {
  if (granted == 0) {
    refused = true;
    return nullptr;
  }
  if (granted > 0)
    --granted;
  return std::malloc(bytes ? bytes : 1);
}

} // namespace

void *operator new(size_t bytes) {
  if (void *memory = allocate(bytes))
    return memory;
  throw std::bad_alloc();
}
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes);
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory, size_t) noexcept { std::free(memory); }

namespace broadloom {
namespace {

/// A name that is too long to be part of a string object.
#define BROADLOOM_LONG "a name that is longer than what a string has room for"

/// What the entry below does, since an entry is a plain function.
int32_t (*body)(BroadloomCall *call) = nullptr;

int32_t entry(BroadloomCall *call, const BroadloomView *) { return body(call); }

const BroadloomFunction kFunctions[] = {{BROADLOOM_LONG, entry, nullptr,
                                         BROADLOOM_LONG, 0, 0, nullptr, nullptr,
                                         0}};
const BroadloomFunctions kProgram = {BROADLOOM_ABI_VERSION, 1, kFunctions,
                                     &BROADLOOM_ABI_SYMBOL, 0};

const BroadloomGuardSite kSite = {BROADLOOM_LONG, BROADLOOM_LONG, 0, 2,
                                  BROADLOOM_LONG " {0} {1}"};

int64_t rankOne[] = {0, 0, 0, /*extent=*/123456789, /*stride=*/1};
int64_t otherRankOne[] = {0, 0, 0, /*extent=*/987654321, /*stride=*/1};
const BroadloomView kViews[] = {{1, rankOne}, {1, otherRankOne}};

class OutOfMemory : public testing::Test {
protected:
  OutOfMemory() : call(broadloomCallCreate()) {
    EXPECT_EQ(broadloomCallSetFunction(call, &kProgram, ""), BROADLOOM_OK);
  }
  ~OutOfMemory() override { broadloomCallDestroy(call); }

  /// Makes the call with ever more memory, until it has enough: it then fails
  /// with `status` and tells `message`. With less it fails as well.
  template <typename MakeCall>
  void expectFailure(int32_t status, const char *message, MakeCall makeCall) {
    bool isEnough = false;
    for (int grants = 0; !isEnough && grants < 100; ++grants) {
      granted = grants;
      refused = false;
      int32_t result = makeCall();
      granted = -1;
      isEnough = !refused;
      std::string told = broadloomCallMessage(call);
      if (isEnough) {
        EXPECT_EQ(result, status);
        EXPECT_NE(told.find(message), std::string::npos) << told;
        continue;
      }
      EXPECT_TRUE(result == status || result == BROADLOOM_OUT_OF_MEMORY)
          << result;
      EXPECT_TRUE(told == "out of memory" ||
                  told.find("there is no memory") != std::string::npos ||
                  told.find(message) != std::string::npos)
          << told;
    }
    EXPECT_TRUE(isEnough);
  }

  /// The same for a call of compiled code.
  void expectFailureOf(int32_t (*function)(BroadloomCall *), int32_t status,
                       const char *message) {
    body = function;
    expectFailure(status, message,
                  [&] { return broadloomCallRun(call, nullptr, 0); });
  }

  BroadloomCall *call;
};

TEST_F(OutOfMemory, guards) {
  expectFailureOf(
      [](BroadloomCall *call) {
        const int64_t values[] = {1, 2};
        return broadloomFail(call, &kSite, values);
      },
      BROADLOOM_GUARD_FAILED, BROADLOOM_LONG " 1 2");
  expectFailureOf(
      [](BroadloomCall *call) {
        const int64_t values[] = {int64_t(intptr_t(&kViews[0])), 2};
        return broadloomFailShapes(call, &kSite, values, "sn");
      },
      BROADLOOM_GUARD_FAILED, BROADLOOM_LONG " 123456789 2");
  expectFailureOf(
      [](BroadloomCall *call) {
        return broadloomCheckBroadcast(call, &kSite, 2, kViews);
      },
      BROADLOOM_GUARD_FAILED, "123456789");
}

// There is no program: memory runs out before it would be read.
TEST_F(OutOfMemory, guardOfAShapeFunction) {
  granted = 0;
  int32_t status =
      broadloomCheckFunction(call, &kSite, nullptr, nullptr, 1, kViews, "-", 0);
  granted = -1;
  EXPECT_EQ(status, BROADLOOM_OUT_OF_MEMORY);
  EXPECT_STREQ(broadloomCallMessage(call), "out of memory");
}

TEST_F(OutOfMemory, arguments) {
  expectFailureOf(
      [](BroadloomCall *call) {
        const int64_t wanted[] = {7};
        return broadloomCheckArgument(call, 0, &kViews[0], 1, wanted);
      },
      BROADLOOM_INVALID_ARGUMENT, "argument 0");
  expectFailure(BROADLOOM_INVALID_ARGUMENT, "takes no arguments",
                [&] { return broadloomCallRun(call, nullptr, 1); });
}

TEST_F(OutOfMemory, memoryOfTensors) {
  expectFailureOf(
      [](BroadloomCall *call) {
        const int64_t extents[] = {INT64_MAX / 4, 1};
        int64_t descriptor[7];
        return broadloomAllocate(
            call, "m.mlir:1:2", -1, nullptr, 4, 2, extents,
            reinterpret_cast<BroadloomDescriptor *>(descriptor));
      },
      BROADLOOM_OUT_OF_MEMORY, "m.mlir:1:2: there is no memory for a tensor");
}

TEST_F(OutOfMemory, shapesOfTooManyAxes) {
  expectFailureOf(
      [](BroadloomCall *call) {
        BroadloomView view{BROADLOOM_MAX_RANK + 1, nullptr};
        BroadloomShape shape;
        return broadloomStoreShape(call, &view, &shape);
      },
      BROADLOOM_INVALID_ARGUMENT, "33 axes");
}

TEST_F(OutOfMemory, programsThatDoNotFit) {
  expectFailure(BROADLOOM_INVALID_ARGUMENT, "has no function", [&] {
    return broadloomCallSetFunction(call, &kProgram, BROADLOOM_LONG " again");
  });
  BroadloomFunctions other = kProgram;
  other.abiVersion = BROADLOOM_ABI_VERSION + 1;
  expectFailure(BROADLOOM_INVALID_ARGUMENT, "compile the program again",
                [&] { return broadloomCallSetFunction(call, &other, ""); });
  other = kProgram;
  // No processor has both of these.
  other.instructionSets =
      instructionSetBit("xop") | instructionSetBit("avx512fp16");
  expectFailure(BROADLOOM_INVALID_ARGUMENT, "compile it on this machine",
                [&] { return broadloomCallSetFunction(call, &other, ""); });
}

// The shapes are told by the function that runs.
TEST_F(OutOfMemory, programsWithoutShapes) {
  expectFailure(BROADLOOM_INVALID_ARGUMENT, BROADLOOM_LONG,
                [&] { return broadloomCallShapes(call, nullptr, 0, nullptr); });
}

TEST_F(OutOfMemory, newCalls) {
  granted = 0;
  BroadloomCall *none = broadloomCallCreate();
  granted = -1;
  EXPECT_EQ(none, nullptr);
}

} // namespace
} // namespace broadloom
