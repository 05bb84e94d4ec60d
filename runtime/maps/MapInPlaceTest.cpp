//===- MapInPlaceTest.cpp - results that are written over operands --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"
#include "test/lib/runtime/TestPrograms.h"

#include <gtest/gtest.h>

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// What the function below does with its temporary before the second launch.
enum class Before { Nothing, Retain, Reverse };

/// Two launches: of the first operand a temporary, and of that and the others
/// the result, which may be written over it.
struct TwoLaunches {
  TestProgram *first, *second;
  Before before;
  /// Whether the second wrote over its first operand.
  bool inPlace;
};
TwoLaunches *running = nullptr;

int32_t runTwo(BroadloomCall *call, const BroadloomView *args) {
  int32_t temporary[] = {-1}, over[] = {-2};
  BroadloomView made{0, nullptr}, result{0, nullptr};
  if (int32_t status =
          broadloomLaunch(call, &running->first->get(), args, &made, temporary))
    return status;
  auto *descriptor = static_cast<BroadloomDescriptor *>(made.descriptor);
  const void *memory = descriptor->aligned;
  if (running->before == Before::Retain)
    if (int32_t status = broadloomRetain(call, descriptor))
      return status;
  if (running->before == Before::Reverse) {
    int64_t &stride = descriptor->dims[made.rank];
    descriptor->offset = stride * (descriptor->dims[0] - 1);
    stride = -stride;
  }
  std::vector<BroadloomView> operands(args,
                                      args + running->second->numOperands);
  operands[0] = made;
  if (int32_t status = broadloomLaunch(call, &running->second->get(),
                                       operands.data(), &result, over))
    return status;
  running->inPlace = descriptorOf(result).aligned == memory;
  if (int32_t status = broadloomRelease(call, descriptor))
    return status;
  return broadloomReturn(call, 0, running->second->bytes, &result);
}

/// Runs 5 (5 a + 7) + 7 over `a`, or 3 (5 a + 7) + b + 1, and compares; tells
/// whether the result was written over the temporary.
bool runsInPlace(const Extents &a, const Extents *b, int threads,
                 Before before = Before::Nothing, int32_t bytes = 4) {
  TestProgram first(1, bytes), second(b ? 2 : 1, bytes),
      whole(b ? 2 : 1, bytes);
  first.result(first.stage(Op::Scale, {0}));
  second.result(b ? second.stage(Op::Mix, {0, 1})
                  : second.stage(Op::Scale, {0}));
  int32_t scaled = whole.stage(Op::Scale, {0});
  whole.result(b ? whole.stage(Op::Mix, {scaled, 1})
                 : whole.stage(Op::Scale, {scaled}));
  Buffer bufferA(a, bytes), bufferB(b ? *b : Extents{}, bytes);
  bufferA.fill(1);
  bufferB.fill(2);
  CallContext call;
  call.setThreads(threads);
  declareResults(call, whole);
  TwoLaunches two{&first, &second, before, false};
  running = &two;
  std::vector<const BroadloomTensor *> operands = {bufferA.tensor()};
  Extents expected = a;
  if (b) {
    operands.push_back(bufferB.tensor());
    EXPECT_TRUE(broadcastReference({a, *b}, expected));
  }
  EXPECT_EQ(call.run(runTwo, operands.data(), int32_t(operands.size())),
            BROADLOOM_OK)
      << call.failure().message;
  BroadloomTensor result;
  EXPECT_EQ(call.takeResult(0, &result), BROADLOOM_OK);
  if (before != Before::Reverse)
    EXPECT_EQ(compare(result, whole, 0, operands, expected), "");
  broadloomTensorRelease(&result);
  return two.inPlace;
}

TEST(LaunchInPlace, temporariesOfTheSameExtents) {
  // Lengths around strips and chunks, over which a last strip is computed
  // twice.
  for (int64_t length : {16384, 16385, 16447, 20011, 70001})
    for (int threads : {1, 2})
      EXPECT_TRUE(runsInPlace({length}, nullptr, threads)) << length;
  for (const Extents &b : {Extents{301, 203}, {1, 203}, {301, 1}, {1, 1}})
    for (int threads : {1, 2})
      EXPECT_TRUE(runsInPlace({301, 203}, &b, threads));
  Extents channels{1, 5, 1};
  EXPECT_TRUE(runsInPlace({37, 5, 111}, &channels, 2));
  for (int32_t bytes : {1, 2, 8})
    EXPECT_TRUE(runsInPlace({70001}, nullptr, 2, Before::Nothing, bytes));
}

TEST(LaunchInPlace, notWhatOthersRead) {
  EXPECT_FALSE(runsInPlace({301, 203}, nullptr, 1, Before::Retain));
}

TEST(LaunchInPlace, notWhatIsReadForOtherElements) {
  EXPECT_FALSE(runsInPlace({301, 203}, nullptr, 1, Before::Reverse));
  // A row that is broadcast, and a result with more axes.
  Extents full{301, 203}, cube{3, 301, 203};
  EXPECT_FALSE(runsInPlace({301, 203}, &cube, 1));
  EXPECT_FALSE(runsInPlace({301, 1}, &full, 2));
}

TEST(LaunchInPlace, notWhatIsSmall) {
  EXPECT_FALSE(runsInPlace({100}, nullptr, 1));
  EXPECT_FALSE(runsInPlace({0, 5}, nullptr, 1));
}

} // namespace
