//===- Arena.h - memory that lives as long as one call ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Temporaries of a call: taken one by one, freed together.
//
// Invariant: everything taken since a mark is freed by rewinding to it, and
// everything by reset(), after which one small chunk stays for the next call.
// One thread at a time; nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_ARENA_H
#define BROADLOOM_RUNTIME_MEMORY_ARENA_H

#include "runtime/Rounding.h"
#include "runtime/memory/Allocator.h"

namespace broadloom {

class Arena {
  struct Chunk;

public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena();

  /// Uninitialised memory, aligned to kMemoryAlignment; null if there is not
  /// enough.
  void *allocate(int64_t bytes) noexcept {
    // One byte stays free, so that a request of 0 bytes has an address. The
    // size is compared first: rounding up must not overflow.
    if (bytes >= 0 && bytes < end - next) {
      char *memory = next;
      int64_t rounded = roundUp(bytes, kMemoryAlignment);
      next = rounded <= end - next ? next + rounded : end;
      return memory;
    }
    return allocateChunk(bytes);
  }

  /// Space for `count` objects without constructors.
  template <typename T> T *array(int64_t count) noexcept {
    int64_t bytes;
    if (__builtin_mul_overflow(count, int64_t(sizeof(T)), &bytes))
      return nullptr;
    return static_cast<T *>(allocate(bytes));
  }

  /// A point to which the arena can be rewound.
  class Mark {
    friend class Arena;
    Chunk *chunk = nullptr;
    Chunk *large = nullptr;
    char *next = nullptr;
  };
  Mark mark() const noexcept;
  void rewind(const Mark &mark) noexcept;

  void reset() noexcept;

private:
  void *allocateChunk(int64_t bytes) noexcept;
  void pop(Chunk *&list) noexcept;

  /// Free part of the newest chunk.
  char *next = nullptr;
  char *end = nullptr;
  /// Chunks from which small requests are served, newest first.
  Chunk *chunks = nullptr;
  /// Blocks of one allocation each.
  Chunk *large = nullptr;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_ARENA_H
