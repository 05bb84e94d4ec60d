//===- Stream.cpp - stores that pass by the caches ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Stream.h"

#include "runtime/Allocator.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace broadloom;

namespace {

constexpr int64_t kLine = 64;

int64_t cacheBytes(int name, int64_t otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

#if defined(__x86_64__)

// One store per line where there are such: a line that is filled by several
// may be written out before it is full when memory is busy.
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

/// Nanoseconds that it takes to add two arrays of `bytes` bytes each in
/// pieces, the least of a few times.
double timeAdding(char *memory, int64_t bytes, bool streamed) {
  constexpr int64_t kPiece = 2048;
  alignas(kLine) char piece[kPiece];
  double least = 1e30;
  for (int repeat = 0; repeat < 4; ++repeat) {
    auto begin = std::chrono::steady_clock::now();
    for (int64_t at = 0; at + kPiece <= bytes; at += kPiece) {
      const char *a = memory + at, *b = memory + bytes + at;
      char *to = memory + 2 * bytes + at;
      char *target = streamed ? piece : to;
      for (int64_t i = 0; i < kPiece; i += 16) {
        auto load = [i](const char *from) {
          return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i));
        };
        _mm_storeu_si128(reinterpret_cast<__m128i *>(target + i),
                         _mm_add_epi32(load(a), load(b)));
      }
      if (streamed)
        streamCopy(to, piece, kPiece);
    }
    streamFence();
    std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count());
  }
  return least;
}

/// Whether streaming is faster for what no longer fits the second cache but
/// might fit the last one: it is where that one is far away and shared by many
/// cores, and it is not where it is a core's neighbour.
bool isLastCacheSlow(int64_t secondCache) {
  // Three arrays that together take three times the second cache.
  int64_t bytes = secondCache / kLine * kLine;
  // Not from our allocator: this is no memory of the call that happens to ask
  // first, and a limit on that call's memory must not decide the answer.
  void *block = nullptr;
  if (posix_memalign(&block, kMemoryAlignment, size_t(3 * bytes)) != 0)
    return false;
  char *memory = static_cast<char *>(block);
  // Not zeros: there are machines to which they cost a third of other numbers.
  memset(memory, 1, size_t(3 * bytes));
  double plain = timeAdding(memory, bytes, false);
  double streamed = timeAdding(memory, bytes, true);
  free(memory);
  return streamed * 1.1 < plain;
}

#endif

} // namespace

#if defined(__x86_64__)

bool broadloom::isWorthStreaming(int64_t bytes, int32_t threads) noexcept {
  static const int64_t second =
      cacheBytes(_SC_LEVEL2_CACHE_SIZE, int64_t(1) << 20);
  // A last-level cache that is said to be larger than this is not ours alone.
  static const int64_t last =
      std::clamp(cacheBytes(_SC_LEVEL3_CACHE_SIZE, 0), 2 * second,
                 std::max(int64_t(32) << 20, 2 * second));
  if (bytes / threads < second + second / 4)
    return false;
  if (bytes > last)
    return true;
  static const bool slow = isLastCacheSlow(second);
  return slow;
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

bool broadloom::isWorthStreaming(int64_t, int32_t) noexcept { return false; }

void broadloom::streamCopy(char *to, const char *from, int64_t bytes) noexcept {
  memcpy(to, from, size_t(bytes));
}

void broadloom::streamFence() noexcept {}

#endif
