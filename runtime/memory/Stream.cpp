//===- Stream.cpp - stores that pass by the caches ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace broadloom;

namespace {

int64_t cacheBytes(int name, int64_t otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

#if defined(__x86_64__)

constexpr int64_t kLine = 64;
/// The weights of a byte of operands and of results in the estimate of what the
/// last cache must hold; equal amounts of both count with weight 1.
constexpr double kReadWeight = 1.5, kWrittenWeight = 0.5;
/// Results of more bytes than this take the place of other data, or wait for
/// memory, in a last-level cache of any size.
constexpr int64_t kMostWritten = int64_t(48) << 20;

// One store per line if the processor has one: when memory is busy, a line that
// several stores fill may be written out before it is full.
__attribute__((target("avx512f"))) void
streamLines512(char *to, const char *from, int64_t lines) {
  for (int64_t i = 0; i < lines; ++i)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to + i * kLine),
                        _mm512_loadu_si512(from + i * kLine));
}

__attribute__((target("avx"))) void streamLines256(char *to, const char *from,
                                                   int64_t lines) {
  for (int64_t i = 0; i < lines * kLine; i += 32)
    _mm256_stream_si256(
        reinterpret_cast<__m256i *>(to + i),
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + i)));
}

void streamLines128(char *to, const char *from, int64_t lines) {
  for (int64_t i = 0; i < lines * kLine; i += 16)
    _mm_stream_si128(
        reinterpret_cast<__m128i *>(to + i),
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i)));
}

using StreamLines = void (*)(char *to, const char *from, int64_t lines);

StreamLines chooseStreamLines() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") ? streamLines512
         : __builtin_cpu_supports("avx")   ? streamLines256
                                           : streamLines128;
}

#endif

} // namespace

int64_t broadloom::usableLast(int64_t reported, int64_t second) noexcept {
  // A cache that is reported larger than this is assumed to be shared.
  constexpr int64_t kOwn = int64_t(32) << 20;
  constexpr int64_t kSharers = 4;
  return std::max(std::min(reported, std::max(kOwn, reported / kSharers)),
                  2 * second);
}

static CacheSizes &ownCacheSizes() {
  static CacheSizes sizes = [] {
    int64_t second = cacheBytes(_SC_LEVEL2_CACHE_SIZE, int64_t(1) << 20);
    return CacheSizes{second,
                      usableLast(cacheBytes(_SC_LEVEL3_CACHE_SIZE, 0), second)};
  }();
  return sizes;
}

const CacheSizes &broadloom::cacheSizes() noexcept { return ownCacheSizes(); }

void broadloom::setCacheSizes(const CacheSizes &sizes) noexcept {
  ownCacheSizes() = sizes;
}

#if defined(__x86_64__)

bool broadloom::isWorthStreaming(Traffic traffic, int32_t threads,
                                 const CacheSizes &caches) noexcept {
  // Assumes that each thread gets half of the cache that the threads before it
  // and other users leave.
  double share = double(caches.last) * (1 - std::exp2(-threads));
  double read = double(traffic.read), written = double(traffic.written);
  return (read + written) / threads >= 1.25 * double(caches.second) &&
         (kReadWeight * read + kWrittenWeight * written > share ||
          traffic.written > kMostWritten);
}

void broadloom::streamCopy(char *to, const char *from, int64_t bytes) noexcept {
  static const StreamLines streamLines = chooseStreamLines();
  int64_t head = -int64_t(reinterpret_cast<uintptr_t>(to)) & (kLine - 1);
  if (head >= bytes)
    head = bytes;
  if (head) {
    memcpy(to, from, size_t(head));
    to += head;
    from += head;
    bytes -= head;
  }
  int64_t lines = bytes / kLine;
  streamLines(to, from, lines);
  if (int64_t tail = bytes - lines * kLine)
    memcpy(to + lines * kLine, from + lines * kLine, size_t(tail));
}

void broadloom::streamFence() noexcept { _mm_sfence(); }

#else

bool broadloom::isWorthStreaming(Traffic, int32_t,
                                 const CacheSizes &) noexcept {
  return false;
}

void broadloom::streamCopy(char *to, const char *from, int64_t bytes) noexcept {
  memcpy(to, from, size_t(bytes));
}

void broadloom::streamFence() noexcept {}

#endif
