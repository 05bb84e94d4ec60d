//===- Pad.cpp - what is shorter than a strip -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Pad.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

void copyAndClear(char *to, const char *from, int64_t bytes, int64_t padded) {
  memcpy(to, from, size_t(bytes));
  memset(to + bytes, 0, size_t(padded - bytes));
}

using CopyPadded = void (*)(char *, const char *, int64_t, int64_t);

#if defined(__x86_64__)

/// What a mask leaves out is not read, even where there is no memory.
__attribute__((target("avx512f,avx512bw"))) void
copyLines(char *to, const char *from, int64_t bytes, int64_t padded) {
  constexpr int64_t kLine = 64;
  int64_t at = 0;
  for (; at + kLine <= bytes; at += kLine)
    _mm512_store_si512(to + at, _mm512_loadu_si512(from + at));
  if (at < bytes) {
    __mmask64 used = (uint64_t(1) << (bytes - at)) - 1;
    _mm512_store_si512(to + at, _mm512_maskz_loadu_epi8(used, from + at));
    at += kLine;
  }
  for (; at < padded; at += kLine)
    _mm512_store_si512(to + at, _mm512_setzero_si512());
}

CopyPadded choose() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bw") ? copyLines : copyAndClear;
}
#else
CopyPadded choose() { return copyAndClear; }
#endif

} // namespace

void broadloom::copyPadded(char *to, const char *from, int64_t bytes,
                           int64_t padded) noexcept {
  static const CopyPadded chosen = choose();
  chosen(to, from, bytes, padded);
}
