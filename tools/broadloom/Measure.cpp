//===- Measure.cpp - what the machine does --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/Measure.h"

#include "runtime/threads/ParallelFor.h"

#include <cstring>

using namespace broadloom;
using namespace broadloom::tool;

/// Prevents the C++ compiler from removing unused results.
static void use(void *data) { asm volatile("" : : "r"(data) : "memory"); }

/// How often per nanosecond all threads together run `once(thread)`, at best.
/// Short runs are measured, in which other programs interfere less.
template <typename Once>
static double measureRate(int threads, double seconds, Once once) {
  auto run = [&](int64_t times) {
    auto begin = Clock::now();
    parallelFor(threads, threads, [&](int32_t, int64_t first, int64_t last) {
      for (int64_t thread = first; thread < last; ++thread)
        for (int64_t i = 0; i < times; ++i)
          once(size_t(thread));
    });
    return nanoseconds(Clock::now() - begin);
  };
  double first = std::max(std::min(run(1), run(1)), 20.0);
  constexpr double kShortest = 200000;
  int64_t times = std::max<int64_t>(1, int64_t(kShortest / first));
  double best = run(times);
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do
    best = std::min(best, run(times));
  while (Clock::now() < end);
  return double(times) * threads / best;
}

double broadloom::tool::measureCopy(int threads, size_t bytes, double seconds) {
  size_t part = std::max<size_t>(bytes / size_t(threads), 64);
  // A whole large buffer would take so long that other programs interfere.
  size_t chunk = std::min(part, size_t(1) << 20);
  std::vector<std::vector<char>> from(size_t(threads),
                                      std::vector<char>(part, 1)),
      to(size_t(threads), std::vector<char>(part, 2));
  std::vector<size_t> offsets(size_t(threads), 0);
  return 2.0 * double(chunk) *
         measureRate(threads, seconds, [&](size_t thread) {
           size_t &at = offsets[thread];
           std::memcpy(to[thread].data() + at, from[thread].data() + at, chunk);
           use(to[thread].data());
           at = at + 2 * chunk <= part ? at + chunk : 0;
         });
}

/// `count` additions, in vectors as wide as the machine's.
__attribute__((target_clones("avx512f", "avx2", "default"))) static void
addInto(float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] += 1.0f;
}

double broadloom::tool::measureAdditions(int threads, double seconds) {
  constexpr size_t count = 2048;
  std::vector<std::vector<float>> values(size_t(threads),
                                         std::vector<float>(count, 1.0f));
  return count * measureRate(threads, seconds, [&](size_t thread) {
           addInto(values[thread].data(), count);
           use(values[thread].data());
         });
}

/// The vectors of sums: they fit the registers, and are enough that
/// multiply-adds do not wait for each other.
static constexpr size_t kVectors = 12, kRounds = 64, kMostSums = 16 * kVectors;

/// Returns how many multiply-adds that is.
template <typename Vector>
static inline __attribute__((always_inline)) size_t sum(float *sums,
                                                        float factor) {
  Vector held[kVectors];
  std::memcpy(held, sums, sizeof(held));
  for (size_t round = 0; round < kRounds; ++round) {
#pragma clang loop unroll(full)
    for (size_t i = 0; i < kVectors; ++i)
      held[i] = held[i] * factor + 1.0f;
  }
  std::memcpy(sums, held, sizeof(held));
  return kRounds * sizeof(held) / sizeof(float);
}

static size_t sumShort(float *sums, float factor) {
  typedef float Vector __attribute__((vector_size(16)));
  return sum<Vector>(sums, factor);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static size_t sumMiddle(float *sums,
                                                            float factor) {
  typedef float Vector __attribute__((vector_size(32)));
  return sum<Vector>(sums, factor);
}

__attribute__((target("avx512f"))) static size_t sumLong(float *sums,
                                                         float factor) {
  typedef float Vector __attribute__((vector_size(64)));
  return sum<Vector>(sums, factor);
}
#endif

/// The widest that the processor has.
static auto chooseSum() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return sumLong;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return sumMiddle;
#endif
  return sumShort;
}

double broadloom::tool::measureMultiplyAdds(int threads, double seconds) {
  auto sumOnce = chooseSum();
  std::vector<std::vector<float>> sums(size_t(threads),
                                       std::vector<float>(kMostSums, 1.0f));
  return double(sumOnce(sums[0].data(), 0.5f)) *
         measureRate(threads, seconds, [&](size_t thread) {
           sumOnce(sums[thread].data(), 0.5f);
           use(sums[thread].data());
         });
}

void broadloom::tool::measureLimits(int threads,
                                    report::MachineLimits &limits) {
  constexpr double seconds = 0.02;
  auto raise = [](double &limit, double found) {
    limit = std::max(limit, found);
  };
  constexpr size_t kLargest = size_t(128) << 20;
  // Half of each size is read and half is written. The first ones fit the
  // private caches of a core.
  size_t sizes[] = {size_t(16) << 10, size_t(256) << 10, size_t(2) << 20,
                    size_t(16) << 20, kLargest};
  for (size_t i = 0; i < 3; ++i)
    sizes[i] = std::min(sizes[i] * size_t(threads), kLargest);
  std::sort(std::begin(sizes), std::end(sizes));
  limits.copies.resize(std::size(sizes));
  for (size_t i = 0; i < std::size(sizes); ++i) {
    limits.copies[i].bytes = double(sizes[i]);
    raise(limits.copies[i].bytesPerNs,
          measureCopy(threads, sizes[i] / 2, seconds));
  }
  raise(limits.multiplyAdds, measureMultiplyAdds(threads, seconds));
  raise(limits.additions, measureAdditions(threads, seconds));
}
