//===- timing.h - times of a call -------------------------------*- C++ -*-===//
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

/// How many calls take at least 10 us; 0 where one fails, with its `status`.
static long findBatch(int (*call)(void *), void *context, int *status) {
  double once = 1e300;
  // The first call finds nothing in the caches: the shortest of a few tells.
  for (int i = 0; i < 3; ++i) {
    double start = now();
    if ((*status = call(context)))
      return 0;
    double time = now() - start;
    once = time < once ? time : once;
  }
  return once > 1e4 ? 1 : (long)(1e4 / (once + 1)) + 1;
}

/// The time of one call in ns, as the mean of a batch.
static double timeBatch(int (*call)(void *), void *context, long batch,
                        int *status) {
  double begin = now();
  for (long i = 0; i < batch && *status == 0; ++i)
    *status = call(context);
  return (now() - begin) / batch;
}

/// Calls for `seconds`, at least twice, and stores the times of one call in
/// `samples`. Returns how many. `call` returns 0, or the status with which this
/// stops (negated).
static long sampleCalls(int (*call)(void *), void *context, double seconds,
                        double *samples, long most) {
  double end = now() + seconds * 1e9;
  int status = 0;
  long batch = findBatch(call, context, &status), count = 0;
  while (status == 0 && count < most && (count < 2 || now() < end))
    samples[count++] = timeBatch(call, context, batch, &status);
  return status == 0 ? count : -status;
}

#endif // BROADLOOM_BENCH_TIMING_H
