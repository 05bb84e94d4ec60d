//===- ParallelLoopTest.cpp - loops of programs on several threads --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/ParallelLoop.h"

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace broadloom;

namespace {

/// How often each iteration ran; what the body does besides.
struct Runs {
  std::vector<std::atomic<int>> counts;
  std::atomic<int> parts{0};
  bool cancels = false, runsLoopInside = false;

  explicit Runs(size_t count) : counts(count) {}
};

int64_t numberIn(const BroadloomView &view) {
  return *static_cast<const int64_t *>(descriptorOf(view).aligned);
}

int32_t runLoop(BroadloomCall &call, int64_t first, int64_t end, int64_t work,
                Runs &runs);

int32_t body(BroadloomCall *call, const BroadloomView *views, void *) {
  auto &runs = *static_cast<Runs *>(descriptorOf(views[3]).aligned);
  ++runs.parts;
  for (int64_t i = numberIn(views[0]); i < numberIn(views[1]); ++i) {
    ++runs.counts[size_t(i)];
    if (runs.cancels && i == 500)
      call->cancel();
    if (runs.runsLoopInside) {
      Runs inner(64);
      EXPECT_EQ(runLoop(*call, 0, 64, 1 << 30, inner), BROADLOOM_OK);
      EXPECT_EQ(inner.parts, 1);
    }
    if (int32_t status = broadloomPoll(call))
      return status;
  }
  return BROADLOOM_OK;
}

int32_t runLoop(BroadloomCall &call, int64_t first, int64_t end, int64_t work,
                Runs &runs) {
  void *data[] = {&first, &end, &work, &runs};
  void *descriptors[4][3];
  BroadloomView views[4];
  for (int i = 0; i < 4; ++i) {
    // The address twice, and an offset of 0.
    descriptors[i][0] = descriptors[i][1] = data[i];
    descriptors[i][2] = nullptr;
    views[i] = {0, descriptors[i]};
  }
  return broadloomRunLoop(&call, body, 4, views);
}

TEST(ParallelLoop, runsEachIterationOnce) {
  for (int32_t threads : {1, 2, 7})
    for (int64_t first : {0, 3}) {
      CallContext call;
      call.setThreads(threads);
      Runs runs(1000);
      EXPECT_EQ(runLoop(call, first, 1000, 1 << 30, runs), BROADLOOM_OK);
      for (int64_t i = 0; i < 1000; ++i)
        EXPECT_EQ(runs.counts[size_t(i)], i >= first);
      if (threads == 1) {
        EXPECT_EQ(runs.parts, 1);
      } else {
        EXPECT_GT(runs.parts, 1);
      }
    }
}

TEST(ParallelLoop, runsLittleWorkInOnePart) {
  CallContext call;
  call.setThreads(4);
  Runs runs(10);
  EXPECT_EQ(runLoop(call, 0, 10, 100, runs), BROADLOOM_OK);
  EXPECT_EQ(runs.parts, 1);
  EXPECT_EQ(runLoop(call, 5, 5, 1 << 30, runs), BROADLOOM_OK);
  EXPECT_EQ(runLoop(call, 5, -5, 1 << 30, runs), BROADLOOM_OK);
  EXPECT_EQ(runs.parts, 1);
}

TEST(ParallelLoop, runsALoopInAPartOnItsThread) {
  CallContext call;
  call.setThreads(4);
  Runs runs(20);
  runs.runsLoopInside = true;
  EXPECT_EQ(runLoop(call, 0, 20, 1 << 30, runs), BROADLOOM_OK);
}

TEST(ParallelLoop, abi6_endsWhenTheCallIsCancelled) {
  for (int32_t threads : {1, 3}) {
    CallContext call;
    call.setThreads(threads);
    Runs runs(1000);
    runs.cancels = true;
    EXPECT_EQ(runLoop(call, 0, 1000, 1 << 30, runs), BROADLOOM_CANCELLED);
    EXPECT_NE(call.failure().message.find("cancelled"), std::string::npos);
  }
}

} // namespace
