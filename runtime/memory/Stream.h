//===- Stream.h - stores that pass by the caches ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ordinary store to memory that is not in a cache reads the line first, and
// evicts another one. Results that are too large for the caches are computed
// piece by piece in the first cache and copied from there with streaming
// stores, which do neither.
//
// Invariant: other threads see streamed data only after the streaming thread
// has called streamFence().
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_STREAM_H
#define BROADLOOM_RUNTIME_MEMORY_STREAM_H

#include <cstdint>

namespace broadloom {

/// Bytes of a core's second-level cache, and of the last-level cache.
struct CacheSizes {
  int64_t second;
  int64_t last;
};

/// The bytes that one process can expect of a last-level cache for which the
/// machine reports `reported` (0: none): all of it up to 32 MiB, 32 MiB of up
/// to 128 MiB, and a quarter of more; at least twice `second`, the bytes of a
/// second-level cache (docs/decisions/0006-streamed-results.md).
int64_t usableLast(int64_t reported, int64_t second) noexcept;

/// The sizes that this machine reports, `last` as usableLast() gives it.
const CacheSizes &cacheSizes() noexcept;

/// Sets what cacheSizes() gives, so that tests do not depend on the machine.
/// Not while a call runs.
void setCacheSizes(const CacheSizes &sizes) noexcept;

/// Bytes of memory that a launch reads and that it writes, each counted once.
struct Traffic {
  int64_t read = 0;
  int64_t written = 0;
};

/// Whether results are worth streaming, on `threads` cores with a second-level
/// cache each: operands and results fit neither these nor the share of the last
/// cache that so many threads can expect, or results are larger than any share.
/// Operands weigh more than results: streaming keeps operands in the cache,
/// while results alone are faster without it.
bool isWorthStreaming(Traffic traffic, int32_t threads,
                      const CacheSizes &caches = cacheSizes()) noexcept;

/// Copies with streaming stores; any alignment.
void streamCopy(char *to, const char *from, int64_t bytes) noexcept;

void streamFence() noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_STREAM_H
