//===- Measure.h - times of calls, and what the machine does ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `bench` and `profile` measure with.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_BROADLOOM_MEASURE_H
#define BROADLOOM_TOOLS_BROADLOOM_MEASURE_H

#include "driver/report/ProfileReport.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace broadloom::tool {

using Clock = std::chrono::steady_clock;

inline double nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

/// Of calls whose times are `times`, each of a group of `group` calls.
inline report::CallTimes summarise(std::vector<double> times, size_t group) {
  std::sort(times.begin(), times.end());
  return {times.size() * group, times.front(), times[times.size() / 2]};
}

/// Times of `once`, warm, for about `seconds`. Short calls are timed in groups
/// so that reading the clock does not count.
template <typename Once> report::CallTimes measure(double seconds, Once once) {
  once();
  auto start = Clock::now();
  once();
  double first = std::max(nanoseconds(Clock::now() - start), 1.0);
  size_t group = std::max<size_t>(1, static_cast<size_t>(20000 / first));
  std::vector<double> times;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    auto begin = Clock::now();
    for (size_t i = 0; i < group; ++i)
      once();
    times.push_back(nanoseconds(Clock::now() - begin) / group);
  } while (Clock::now() < end || times.size() < 3);
  return summarise(std::move(times), group);
}

/// Bytes per nanosecond that so many threads copy between buffers of `bytes`
/// bytes together, reading and writing counted.
double measureCopy(int threads, size_t bytes, double seconds);
/// Additions of f32 per nanosecond, on data in the first cache.
double measureAdditions(int threads, double seconds);
/// Multiply-adds of f32 per nanosecond, in registers.
double measureMultiplyAdds(int threads, double seconds);

/// Measures all of these, in about a fifth of a second, and raises `limits` to
/// higher results.
void measureLimits(int threads, report::MachineLimits &limits);

} // namespace broadloom::tool

#endif // BROADLOOM_TOOLS_BROADLOOM_MEASURE_H
