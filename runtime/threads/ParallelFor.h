//===- ParallelFor.h - the one pool of threads ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares work among threads. Each thread has a share of the items and takes it
// part by part; parts become smaller towards the end of the share. A thread
// that has finished its share takes parts of other shares that no thread has
// begun. So the calling thread never waits for a thread that does not run, and
// two threads take no longer than one.
//
// Invariant: each item is run exactly once, and all is done on return. What is
// computed may not depend on how the items are split.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_THREADS_PARALLELFOR_H
#define BROADLOOM_RUNTIME_THREADS_PARALLELFOR_H

#include <cstdint>
#include <type_traits>

namespace broadloom {

/// Number of threads that `wanted` stands for: itself, or availableThreads()
/// for 0.
int32_t resolveThreads(int32_t wanted) noexcept;

/// Runs `body(context, thread, begin, end)` on at most `threads` threads,
/// several times on each; `thread` is less than `threads`, and no two threads
/// run with the same number at a time.
void parallelForRaw(int32_t threads, int64_t items,
                    void (*body)(void *context, int32_t thread, int64_t begin,
                                 int64_t end),
                    void *context) noexcept;

/// The same for a callable, which may not throw.
template <typename Body>
void parallelFor(int32_t threads, int64_t items, Body &&body) noexcept {
  if (threads <= 1 || items <= 1) {
    if (items > 0)
      body(0, int64_t(0), items);
    return;
  }
  using Callable = std::remove_reference_t<Body>;
  parallelForRaw(
      threads, items,
      [](void *context, int32_t thread, int64_t begin, int64_t end) {
        (*static_cast<Callable *>(context))(thread, begin, end);
      },
      const_cast<void *>(static_cast<const void *>(&body)));
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_THREADS_PARALLELFOR_H
