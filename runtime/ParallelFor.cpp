//===- ParallelFor.cpp - the one pool of threads --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ParallelFor.h"

#include <algorithm>

#if BROADLOOM_OPENMP
#include <omp.h>
#else
#include <system_error>
#include <thread>
#include <vector>
#endif

using namespace broadloom;

namespace {
/// The part of `items` that is `thread`'s of `team`.
int64_t boundary(int64_t items, int32_t thread, int32_t team) {
  return items / team * thread + std::min<int64_t>(items % team, thread);
}
} // namespace

#if BROADLOOM_OPENMP

int32_t broadloom::resolveThreads(int32_t wanted) noexcept {
  return wanted > 0 ? wanted : std::max(omp_get_max_threads(), 1);
}

void broadloom::parallelForRaw(int32_t threads, int64_t items,
                               void (*body)(void *, int32_t, int64_t, int64_t),
                               void *context) noexcept {
  threads = int32_t(std::min<int64_t>(threads, items));
#pragma omp parallel num_threads(threads)
  {
    // The team may be smaller than what was asked for.
    int32_t team = omp_get_num_threads();
    int32_t thread = omp_get_thread_num();
    int64_t begin = boundary(items, thread, team);
    int64_t end = boundary(items, thread + 1, team);
    if (begin < end)
      body(context, thread, begin, end);
  }
}

#else

// Without OpenMP, and under the thread sanitizer, which cannot look into
// OpenMP's library and would report its barriers as races.

int32_t broadloom::resolveThreads(int32_t wanted) noexcept {
  return wanted > 0 ? wanted
                    : std::max(int32_t(std::thread::hardware_concurrency()), 1);
}

void broadloom::parallelForRaw(int32_t threads, int64_t items,
                               void (*body)(void *, int32_t, int64_t, int64_t),
                               void *context) noexcept {
  threads = int32_t(std::min<int64_t>(threads, items));
  std::vector<std::thread> team;
  int32_t started = 1;
  try {
    team.reserve(size_t(threads));
    for (; started < threads; ++started)
      team.emplace_back(body, context, started,
                        boundary(items, started, threads),
                        boundary(items, started + 1, threads));
  } catch (const std::exception &) {
    // No more threads to be had: the rest is done here.
  }
  body(context, 0, 0, boundary(items, 1, threads));
  if (started < threads)
    body(context, started, boundary(items, started, threads), items);
  for (std::thread &member : team)
    member.join();
}

#endif
