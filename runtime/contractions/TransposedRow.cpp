//===- TransposedRow.cpp - one row and a transposed weight ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/TransposedRow.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

#ifdef __x86_64__

#include <immintrin.h>

#define BROADLOOM_AVX2_FMA __attribute__((target("avx2,fma")))

namespace {

constexpr int kLanes = int(kLeastTransposed);
/// The elements of half a vector; wider moves take longer.
constexpr int kHalf = 4;

/// The channels of a vector are as many rows of the weight. Half a row is read
/// at a time, so that no element changes its half of the vector.
BROADLOOM_AVX2_FMA inline __m256 addFour(__m256 sum, const float *row,
                                         const float *weight, int64_t stride) {
  __m256 rows[kHalf];
  for (int i = 0; i < kHalf; ++i) {
    const float *low = weight + i * stride, *high = low + kHalf * stride;
    rows[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)),
                                   _mm_loadu_ps(high), 1);
  }
  __m256 a = _mm256_unpacklo_ps(rows[0], rows[2]);
  __m256 b = _mm256_unpacklo_ps(rows[1], rows[3]);
  __m256 c = _mm256_unpackhi_ps(rows[0], rows[2]);
  __m256 d = _mm256_unpackhi_ps(rows[1], rows[3]);
  __m256 steps[kHalf] = {_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b),
                         _mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d)};
  for (int k = 0; k < kHalf; ++k)
    sum = _mm256_fmadd_ps(_mm256_set1_ps(row[k]), steps[k], sum);
  return sum;
}

/// Sums of the channels of `kVectors` vectors from `weight` on.
template <int kVectors>
BROADLOOM_AVX2_FMA void sumChannels(const float *row, const float *weight,
                                    int64_t stride, int64_t depth, float *to) {
  // A line of each row, so that it is read from the second cache once, even if
  // many lines map to the same set of the first one.
  constexpr int64_t kSteps = 16;
  // The second vector is two lines behind the first one: its rows would be in
  // the same sets if rows are a power of two apart.
  constexpr int64_t kBehind = (kVectors - 1) * 2 * kSteps;
  __m256 sums[kVectors];
  for (__m256 &sum : sums)
    sum = _mm256_setzero_ps();
  int64_t whole = depth / kSteps * kSteps;
  for (int64_t first = 0; first < whole + kBehind; first += kSteps / 2)
    for (int v = 0; v < kVectors; ++v) {
      int64_t from = first - v * kBehind;
      if (from < 0 || from >= whole)
        continue;
      for (int64_t at = from; at < from + kSteps / 2; at += kHalf)
        sums[v] = addFour(sums[v], row + at, weight + v * kLanes * stride + at,
                          stride);
    }
  int64_t k = whole;
  for (; k + kHalf <= depth; k += kHalf)
    for (int v = 0; v < kVectors; ++v)
      sums[v] =
          addFour(sums[v], row + k, weight + v * kLanes * stride + k, stride);
  for (; k < depth; ++k)
    for (int v = 0; v < kVectors; ++v) {
      float column[kLanes];
      for (int i = 0; i < kLanes; ++i)
        column[i] = weight[(v * kLanes + i) * stride + k];
      sums[v] = _mm256_fmadd_ps(_mm256_set1_ps(row[k]), _mm256_loadu_ps(column),
                                sums[v]);
    }
  for (int v = 0; v < kVectors; ++v)
    _mm256_storeu_ps(to + v * kLanes, sums[v]);
}

} // namespace

bool broadloom::canSumTransposed() noexcept {
  static const bool found = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0 &&
           __builtin_cpu_supports("fma") != 0;
  }();
  return found;
}

void broadloom::sumTransposed(const float *row, const float *weight,
                              int64_t stride, int64_t depth, int64_t channels,
                              int64_t begin, int64_t end,
                              float *sums) noexcept {
  for (int64_t next = begin; next < end;) {
    bool isPair = end - next > kLanes && channels >= 2 * kLanes;
    int64_t width = isPair ? 2 * kLanes : kLanes;
    // The last channels of the weight begin among those before them.
    int64_t first = std::min(next, channels - width);
    float found[2 * kLanes];
    (isPair ? sumChannels<2> : sumChannels<1>)(row, weight + first * stride,
                                               stride, depth, found);
    int64_t count = std::min(end, first + width) - next;
    memcpy(sums + (next - begin), found + (next - first),
           size_t(count) * sizeof(float));
    next += count;
  }
}

#else

bool broadloom::canSumTransposed() noexcept { return false; }

void broadloom::sumTransposed(const float *, const float *, int64_t, int64_t,
                              int64_t, int64_t, int64_t, float *) noexcept {}

#endif
