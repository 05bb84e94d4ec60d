//===- ThreadPool.h - threads that can be asked for help --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process's threads for work that is shared. A job is offered to those that
// have none, and withdrawn again by who offered it: nobody ever waits for a
// thread that the system has not let begin, since that may take as long as the
// system gives to whatever else runs on its core. So whoever offers a job has
// to be ready to do all of it.
//
// Threads are started when they are first wanted. One that has nothing to do
// looks out for work for a fifth of a millisecond, giving way to all others,
// and then sleeps. A process that was forked starts its own.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_THREADS_THREADPOOL_H
#define BROADLOOM_RUNTIME_THREADS_THREADPOOL_H

#include <cstdint>

namespace broadloom {

/// Most threads that work on one job, with the one that offers it.
constexpr int32_t kMostThreads = 128;

/// Threads that this process should use if nobody says how many: as
/// OMP_NUM_THREADS says, by which programs tell libraries of all kinds, else as
/// many as there are cores that it may run on.
int32_t availableThreads() noexcept;

/// Work that several threads can take part in. It is theirs, and has to stay
/// where it is, from offerJob to withdrawJob.
struct PoolJob {
  /// Called in each thread that takes part, which is the `number`-th, from 1.
  void (*run)(PoolJob &job, int32_t number);
};

/// Offers `job` to at most `most` threads, and starts some where there are
/// fewer. Returns to how many.
int32_t offerJob(PoolJob &job, int32_t most) noexcept;

/// Takes back what nobody has begun, and waits for those who have. All that
/// they did is visible, and `job` is the caller's alone, on return.
void withdrawJob(PoolJob &job) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_THREADS_THREADPOOL_H
