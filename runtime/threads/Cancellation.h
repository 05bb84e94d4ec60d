//===- Cancellation.h - work that ends early --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_THREADS_CANCELLATION_H
#define BROADLOOM_RUNTIME_THREADS_CANCELLATION_H

#include "runtime/threads/ParallelFor.h"

namespace broadloom {

/// Tells the threads of a parallelFor whether its results are still wanted.
class Cancellation {
public:
  /// `isOwn` is true for the thread that waits for the others.
  using Question = bool (*)(void *context, bool isOwn);

  /// Never.
  Cancellation() = default;
  Cancellation(void *context, Question question)
      : context(context), question(question) {}

  bool operator()(int32_t thread) const noexcept {
    return question && question(context, thread == 0);
  }

private:
  void *context = nullptr;
  Question question = nullptr;
};

/// Runs `body(item)` for each item, or for fewer of them where the work is
/// cancelled.
template <typename Body>
void parallelForEach(int32_t threads, int64_t items,
                     const Cancellation &isCancelled, Body &&body) noexcept {
  parallelFor(threads, items, [&](int32_t thread, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !isCancelled(thread); ++i)
      body(i);
  });
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_THREADS_CANCELLATION_H
