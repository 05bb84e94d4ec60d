//===- Rows.cpp - short rows, one after another ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace broadloom;

#define BROADLOOM_INLINE inline __attribute__((always_inline))

namespace {

/// Writes rows by whole vectors. If a row is shorter than a vector, the next
/// row overwrites what goes beyond its end.
template <typename T, int64_t Width>
BROADLOOM_INLINE void splatByVectors(char *to, const char *from, int64_t rows,
                                     int64_t length, int64_t stride) {
  typedef T Vector __attribute__((vector_size(Width)));
  constexpr int64_t kSize = sizeof(T);
  const int64_t rowBytes = length * kSize;
  T value;
  Vector vector;
  if (rowBytes >= Width) {
    for (int64_t row = 0; row < rows; ++row, to += rowBytes) {
      memcpy(&value, from + row * stride * kSize, sizeof(T));
      vector = Vector{} + value;
      for (int64_t at = 0; at < rowBytes - Width; at += Width)
        memcpy(to + at, &vector, Width);
      memcpy(to + rowBytes - Width, &vector, Width);
    }
    return;
  }
  // The last rows, whose vectors would go beyond the end of the output.
  int64_t last = std::max<int64_t>(rows - (Width - 1) / rowBytes, 0);
  for (int64_t row = 0; row < last; ++row) {
    memcpy(&value, from + row * stride * kSize, sizeof(T));
    vector = Vector{} + value;
    memcpy(to + row * rowBytes, &vector, Width);
  }
  for (int64_t row = last; row < rows; ++row)
    for (int64_t i = 0; i < length; ++i)
      memcpy(to + row * rowBytes + i * kSize, from + row * stride * kSize,
             sizeof(T));
}

template <typename T>
BROADLOOM_INLINE void splatOf(char *to, const char *from, int64_t rows,
                              int64_t length, int64_t stride) {
  splatByVectors<T, 16>(to, from, rows, length, stride);
}

template <typename T>
BROADLOOM_INLINE void splatOfWide(char *to, const char *from, int64_t rows,
                                  int64_t length, int64_t stride) {
  // A vector no wider than needed: stores across cache lines cost twice.
  int64_t bytes = length * int64_t(sizeof(T));
  if (bytes <= 16)
    splatByVectors<T, 16>(to, from, rows, length, stride);
  else if (bytes <= 32)
    splatByVectors<T, 32>(to, from, rows, length, stride);
  else
    splatByVectors<T, 64>(to, from, rows, length, stride);
}

#define BROADLOOM_BY_BYTES(body)                                               \
  switch (bytes) {                                                             \
  case 1:                                                                      \
    return body<uint8_t>(to, from, rows, length, stride);                      \
  case 2:                                                                      \
    return body<uint16_t>(to, from, rows, length, stride);                     \
  case 4:                                                                      \
    return body<uint32_t>(to, from, rows, length, stride);                     \
  default:                                                                     \
    return body<uint64_t>(to, from, rows, length, stride);                     \
  }

using SplatRows = void (*)(char *to, const char *from, int64_t rows,
                           int64_t length, int64_t stride, int32_t bytes);

void splatBaseline(char *to, const char *from, int64_t rows, int64_t length,
                   int64_t stride, int32_t bytes){BROADLOOM_BY_BYTES(splatOf)}

#if defined(__x86_64__)

#define BROADLOOM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

/// For rows of `Length` elements: for each lane of `Length` consecutive vectors
/// of the result, the lane of the vector of source elements.
template <typename T, int Length>
struct LaneNumbers {
  static constexpr int kLanes = 64 / int(sizeof(T));
  alignas(64) T lanes[Length][kLanes];
  constexpr LaneNumbers() : lanes() {
    for (int i = 0; i < Length * kLanes; ++i)
      lanes[i / kLanes][i % kLanes] = T(i / Length);
  }
};

/// Writes as many rows at a time as a vector has lanes, from consecutive source
/// elements; returns the number of rows.
template <typename T, int Length>
BROADLOOM_AVX512 int64_t splatByPermuting(char *to, const char *from,
                                          int64_t rows) {
  static constexpr LaneNumbers<T, Length> kNumbers;
  constexpr int64_t kLanes = LaneNumbers<T, Length>::kLanes;
  int64_t row = 0;
  for (; row + kLanes <= rows; row += kLanes, to += 64 * Length) {
    __m512i elements = _mm512_loadu_si512(from + row * int64_t(sizeof(T)));
    for (int i = 0; i < Length; ++i) {
      __m512i numbers = _mm512_load_si512(kNumbers.lanes[i]);
      __m512i vector;
      if constexpr (sizeof(T) == 2)
        vector = _mm512_permutexvar_epi16(numbers, elements);
      else if constexpr (sizeof(T) == 4)
        vector = _mm512_permutexvar_epi32(numbers, elements);
      else
        vector = _mm512_permutexvar_epi64(numbers, elements);
      _mm512_storeu_si512(to + 64 * i, vector);
    }
  }
  return row;
}

template <typename T>
BROADLOOM_AVX512 int64_t splatShort(char *to, const char *from, int64_t rows,
                                    int64_t length) {
  switch (length) {
  case 2:
    return splatByPermuting<T, 2>(to, from, rows);
  case 3:
    return splatByPermuting<T, 3>(to, from, rows);
  case 4:
    return splatByPermuting<T, 4>(to, from, rows);
  case 5:
    return splatByPermuting<T, 5>(to, from, rows);
  case 6:
    return splatByPermuting<T, 6>(to, from, rows);
  case 7:
    return splatByPermuting<T, 7>(to, from, rows);
  case 8:
    return splatByPermuting<T, 8>(to, from, rows);
  default:
    return 0;
  }
}

BROADLOOM_AVX512 void splat512(char *to, const char *from, int64_t rows,
                               int64_t length, int64_t stride, int32_t bytes) {
  if (stride == 1 && length <= 8 && bytes != 1) {
    int64_t done = bytes == 2   ? splatShort<uint16_t>(to, from, rows, length)
                   : bytes == 4 ? splatShort<uint32_t>(to, from, rows, length)
                                : splatShort<uint64_t>(to, from, rows, length);
    to += done * length * bytes;
    from += done * bytes;
    rows -= done;
  }
  BROADLOOM_BY_BYTES(splatOfWide)
}

__attribute__((target("avx2"))) void
splat256(char *to, const char *from, int64_t rows, int64_t length,
         int64_t stride, int32_t bytes){BROADLOOM_BY_BYTES(splatOfWide)}

SplatRows chooseSplatRows() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return splat512;
  return __builtin_cpu_supports("avx2") ? splat256 : splatBaseline;
}
#else
SplatRows chooseSplatRows() {
  return splatBaseline;
}
#endif

/// The distances of rows, in bytes.
struct Steps {
  int64_t to, from;
};

/// Copies rows of `Size` to 2 * `Size` bytes, by their first and last `Size`
/// bytes.
template <int64_t Size>
void copyTwice(char *to, const char *from, Steps step, int64_t rows,
               int64_t rowBytes) {
  for (int64_t row = 0; row < rows; ++row, to += step.to, from += step.from) {
    char head[Size], tail[Size];
    memcpy(head, from, Size);
    memcpy(tail, from + rowBytes - Size, Size);
    memcpy(to, head, Size);
    memcpy(to + rowBytes - Size, tail, Size);
  }
}

/// Reads all before it writes.
template <int64_t Size>
BROADLOOM_INLINE void copyPart(char *to, const char *from) {
  char part[Size];
  memcpy(part, from, Size);
  memcpy(to, part, Size);
}

/// Copies rows of `Size` bytes or more, by parts that are read before they are
/// written: a processor takes a read behind a write whose address differs by a
/// multiple of 4096 for one of the same bytes, and waits.
template <int64_t Size>
void copyMany(char *to, const char *from, Steps step, int64_t rows,
              int64_t rowBytes) {
  for (int64_t row = 0; row < rows; ++row, to += step.to, from += step.from) {
    for (int64_t at = 0; at < rowBytes - Size; at += Size)
      copyPart<Size>(to + at, from + at);
    copyPart<Size>(to + rowBytes - Size, from + rowBytes - Size);
  }
}

} // namespace

void broadloom::splatRows(char *to, const char *from, int64_t rows,
                          int64_t length, int64_t stride, int32_t bytes) {
  static const SplatRows chosen = chooseSplatRows();
  chosen(to, from, rows, length, stride, bytes);
}

void broadloom::copyRows(char *to, int64_t toStride, const char *from,
                         int64_t stride, int64_t rows, int64_t length,
                         int32_t bytes) {
  int64_t rowBytes = length * bytes;
  Steps step{toStride * bytes, stride * bytes};
  if (rowBytes >= 512)
    for (int64_t row = 0; row < rows; ++row)
      memcpy(to + row * step.to, from + row * step.from, size_t(rowBytes));
  else if (rowBytes >= 128)
    copyMany<128>(to, from, step, rows, rowBytes);
  else if (rowBytes > 32)
    copyMany<32>(to, from, step, rows, rowBytes);
  else if (rowBytes >= 16)
    copyTwice<16>(to, from, step, rows, rowBytes);
  else if (rowBytes >= 8)
    copyTwice<8>(to, from, step, rows, rowBytes);
  else if (rowBytes >= 4)
    copyTwice<4>(to, from, step, rows, rowBytes);
  else if (rowBytes >= 2)
    copyTwice<2>(to, from, step, rows, rowBytes);
  else
    copyTwice<1>(to, from, step, rows, rowBytes);
}
