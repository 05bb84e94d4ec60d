//===- Pad.cpp - what is shorter than a strip -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Pad.h"
#include "runtime/memory/Fill.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

void copyAndFill(char *to, const char *from, int32_t size, int64_t count,
                 int64_t padded) {
  memcpy(to, from, size_t(count * size));
  broadloom::fillSplat(to + count * size, from, padded - count, size);
}

using CopyPadded = void (*)(char *, const char *, int32_t, int64_t, int64_t);

#if defined(__x86_64__)

template <typename T> T load(const char *from) {
  T value;
  memcpy(&value, from, sizeof(T));
  return value;
}

__attribute__((target("avx512f,avx512bw"))) __m512i splat(const char *from,
                                                          int32_t size) {
  switch (size) {
  case 1:
    return _mm512_set1_epi8(load<int8_t>(from));
  case 2:
    return _mm512_set1_epi16(load<int16_t>(from));
  case 4:
    return _mm512_set1_epi32(load<int32_t>(from));
  default:
    return _mm512_set1_epi64(load<int64_t>(from));
  }
}

/// Masked lanes are not read, so that they may be outside the memory.
__attribute__((target("avx512f,avx512bw"))) void
copyLines(char *to, const char *from, int32_t size, int64_t count,
          int64_t padded) {
  constexpr int64_t kLine = 64;
  int64_t at = 0, bytes = count * size, end = padded * size;
  __m512i first = splat(from, size);
  for (; at + kLine <= bytes; at += kLine)
    _mm512_store_si512(to + at, _mm512_loadu_si512(from + at));
  if (at < bytes) {
    __mmask64 used = (uint64_t(1) << (bytes - at)) - 1;
    _mm512_store_si512(to + at, _mm512_mask_loadu_epi8(first, used, from + at));
    at += kLine;
  }
  for (; at < end; at += kLine)
    _mm512_store_si512(to + at, first);
}

CopyPadded choose() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bw") ? copyLines : copyAndFill;
}
#else
CopyPadded choose() { return copyAndFill; }
#endif

} // namespace

void broadloom::copyPadded(char *to, const char *from, int32_t size,
                           int64_t count, int64_t padded) noexcept {
  static const CopyPadded chosen = choose();
  chosen(to, from, size, count, padded);
}
