//===- ParallelLoop.cpp - loops of programs on several threads ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/ParallelLoop.h"

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

using namespace broadloom;

namespace {

/// A loop of less work, in units of 1/32 ns, takes about as long as waking a
/// thread (decision 98).
constexpr int64_t kLeastWork = int64_t(1) << 18;

/// Copies of the arguments' views are on the stack.
constexpr int32_t kMostArguments = 64;

/// What this thread runs a part of.
enum class Part { None, OfOwnCall, OfOtherCall };
thread_local Part current = Part::None;

/// Tests set it to 0, so that short loops run on several threads too.
int64_t leastWork() {
  static const int64_t least = [] {
    const char *text = std::getenv("BROADLOOM_LEAST_PARALLEL_WORK");
    return text ? std::atoll(text) : kLeastWork;
  }();
  return least;
}

int64_t numberAt(const BroadloomView &view) {
  return *reinterpret_cast<const int64_t *>(
      elementsOf(view, int64_t(sizeof(int64_t))));
}

/// A view of one number.
struct NumberView {
  explicit NumberView(int64_t &number)
      : view{0, &descriptor}, descriptor{&number, &number, 0} {}

  BroadloomView view;
  BroadloomDescriptor descriptor;
};

} // namespace

bool broadloom::runsPartOfLoop() noexcept {
  return current == Part::OfOtherCall;
}

int32_t broadloomRunLoop(BroadloomCall *call, BroadloomCode body,
                         int32_t numArguments, const BroadloomView *arguments) {
  int64_t first = numberAt(arguments[0]), end = numberAt(arguments[1]);
  if (first >= end)
    return BROADLOOM_OK;
  int32_t threads = current != Part::None || end - first == 1 ||
                            numArguments > kMostArguments ||
                            numberAt(arguments[2]) < leastWork()
                        ? 1
                        : resolveThreads(call->threads());
  if (threads <= 1)
    return body(call, arguments, nullptr);
  std::atomic<int32_t> status{BROADLOOM_OK};
  parallelFor(threads, end - first, [&](int32_t thread, int64_t a, int64_t b) {
    if (status.load(std::memory_order_relaxed) != BROADLOOM_OK)
      return;
    int64_t from = first + a, to = first + b;
    NumberView begin(from), limit(to);
    BroadloomView views[kMostArguments];
    std::copy(arguments, arguments + numArguments, views);
    views[0] = begin.view;
    views[1] = limit.view;
    current = thread == 0 ? Part::OfOwnCall : Part::OfOtherCall;
    int32_t result = body(call, views, nullptr);
    current = Part::None;
    if (result != BROADLOOM_OK)
      status.store(result, std::memory_order_relaxed);
  });
  // The threads beside this one have not recorded that they were cancelled.
  int32_t result = status.load(std::memory_order_relaxed);
  if (result == BROADLOOM_CANCELLED)
    call->checkCancelled();
  int32_t recorded = call->failure().status;
  return recorded != BROADLOOM_OK ? recorded : result;
}
