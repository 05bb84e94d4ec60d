//===- ThreadPool.h - threads that share work -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of the process for work that is shared. A thread offers a job to
// idle threads, and withdraws it again. It does not wait for a thread that has
// not begun: the system may run other programs on that thread's core for long.
// So the thread that offers a job must be able to do all of it.
//
// Threads are started when a job first needs them. An idle thread looks for
// work for a fifth of a millisecond, yields to other threads meanwhile, and
// then sleeps. A forked process starts threads of its own.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_THREADS_THREADPOOL_H
#define BROADLOOM_RUNTIME_THREADS_THREADPOOL_H

#include <cstdint>

namespace broadloom {

/// The most threads that work on one job, including the one that offers it.
constexpr int32_t kMostThreads = 128;

/// The number of threads that this process uses by default: that of the
/// variable OMP_NUM_THREADS, which many libraries read, else the number of
/// cores that the process may run on.
int32_t availableThreads() noexcept;

/// Work in which several threads can take part. It must not move from offerJob
/// to withdrawJob.
struct PoolJob {
  /// Called in each thread that takes part; `number` counts these from 1.
  void (*run)(PoolJob &job, int32_t number);
};

/// Offers `job` to at most `most` threads, and starts threads if there are
/// fewer. Returns the number of threads.
int32_t offerJob(PoolJob &job, int32_t most) noexcept;

/// Withdraws `job` from the threads that have not begun it, and waits for those
/// that have. On return, all that these threads did is visible, and no other
/// thread uses `job`.
void withdrawJob(PoolJob &job) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_THREADS_THREADPOOL_H
