//===- timing.h - times of a call -------------------------------*- C -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one loop by which everything that has a C interface is measured.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_BENCH_TIMING_H
#define BROADLOOM_BENCH_TIMING_H

#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

/// Calls for `seconds`, at least twice, and stores the time of one call in ns,
/// as the mean of a batch of at least 10 us, in `samples`. Returns how many.
/// `call` returns 0, or the status with which this stops (negated).
static long sampleCalls(int (*call)(void *), void *context, double seconds,
                        double *samples, long most) {
  double begin = now(), once = 1e300;
  int status = 0;
  // The first call finds nothing in the caches: how long a batch should be, the
  // shortest of a few tells.
  for (int i = 0; i < 3 && status == 0; ++i) {
    double start = now();
    status = call(context);
    double time = now() - start;
    once = time < once ? time : once;
  }
  long batch = once > 1e4 ? 1 : (long)(1e4 / (once + 1)) + 1;
  double end = begin + seconds * 1e9;
  long count = 0;
  while (status == 0 && count < most && (count < 2 || now() < end)) {
    begin = now();
    for (long i = 0; i < batch && status == 0; ++i)
      status = call(context);
    samples[count++] = (now() - begin) / batch;
  }
  return status == 0 ? count : -status;
}

#endif // BROADLOOM_BENCH_TIMING_H
