//===- Allocator.h - caching allocator for tensor memory --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory for results and temporaries. Freed blocks are kept for the next
// request of their size class: touching fresh pages costs several times what
// an element-wise computation on them does.
//
// Invariant: every block is aligned to kMemoryAlignment, and the cache never
// holds more than a bound set from the machine's memory. Any thread may call
// any function at any time; none throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_ALLOCATOR_H
#define BROADLOOM_RUNTIME_MEMORY_ALLOCATOR_H

#include <cstddef>
#include <cstdint>

namespace broadloom {

constexpr int64_t kMemoryAlignment = 64;

/// Uninitialised memory of `bytes` bytes (0 gives a block, too); null if there
/// is not enough, or if `bytes` exceeds the machine's memory.
void *allocateMemory(int64_t bytes) noexcept;

/// Frees a block; `bytes` is the requested size. Null is ignored.
void freeMemory(void *memory, int64_t bytes) noexcept;

/// Bytes of the blocks in use, and of those in the cache, rounded to size
/// classes.
struct MemoryUse {
  int64_t used;
  int64_t cached;
  /// The most that has been in use since restartPeak().
  int64_t peak;
};
MemoryUse memoryUse() noexcept;
void restartPeak() noexcept;

/// Limits the bytes in use: a request beyond the limit fails. Returns the
/// previous limit; initially INT64_MAX, which is no limit.
int64_t setMemoryLimit(int64_t bytes) noexcept;

/// A source of blocks in place of the system; see BroadloomAllocator in
/// runtime/calls/Invoke.h.
struct BlockSource {
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*release)(void *context, void *memory, size_t bytes);
  void *context;
};

/// Sets the source; the system if `source` has no functions. False, without
/// effect, while a block is in use.
bool setBlockSource(const BlockSource &source) noexcept;

} // namespace broadloom

/// Returns all cached memory to the system.
extern "C" void broadloomTrim(void);

#endif // BROADLOOM_RUNTIME_MEMORY_ALLOCATOR_H
