//===- Ticks.h - a clock that is cheap to read ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile reads the clock twice for each launch. The processor's counter
// takes half the time of the system's clock, which is used where there is no
// counter of constant rate.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_PROFILE_TICKS_H
#define BROADLOOM_RUNTIME_PROFILE_TICKS_H

#include <chrono>
#include <cstdint>

#ifdef __x86_64__
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace broadloom {

inline int64_t readSystemNanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class TickClock {
public:
  /// Takes about two milliseconds on the first call in a process, to compare
  /// the two clocks.
  static const TickClock &get() noexcept {
    static const TickClock clock;
    return clock;
  }

  int64_t read() const noexcept {
#ifdef __x86_64__
    if (hasCounter)
      return int64_t(__rdtsc());
#endif
    return readSystemNanoseconds();
  }
  double toNanoseconds(int64_t ticks) const noexcept {
    return double(ticks) * nanosecondsPerTick;
  }

private:
  TickClock() noexcept {
#ifdef __x86_64__
    // Bit 8 of edx: the counter has a constant rate and never stops.
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    hasCounter =
        __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx >> 8 & 1);
    if (!hasCounter)
      return;
    int64_t time = readSystemNanoseconds(), ticks = read(), now = time;
    while (now - time < 2000000)
      now = readSystemNanoseconds();
    nanosecondsPerTick = double(now - time) / double(read() - ticks);
#endif
  }

  [[maybe_unused]] bool hasCounter = false;
  double nanosecondsPerTick = 1;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_PROFILE_TICKS_H
