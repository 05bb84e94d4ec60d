//===- ArrayLayout.h - arrays in one block of memory ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several arrays share one block of memory. One function, or constructor, takes
// them from a layout. It is called twice: with a layout that has no memory, to
// measure the block, and with a layout of the block, to place the arrays. Where
// it is inline, measuring is a sum and stores nothing.
//
// Invariant: both calls take the same arrays, so that they fit in the block.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_ARRAYLAYOUT_H
#define BROADLOOM_RUNTIME_MEMORY_ARRAYLAYOUT_H

#include "runtime/Rounding.h"
#include "runtime/memory/Allocator.h"

#include <cstdint>

namespace broadloom {

class ArrayLayout {
public:
  /// Measures: the arrays have no memory.
  ArrayLayout() = default;

  /// Places arrays in `memory`, which is aligned to kMemoryAlignment if there
  /// are buffers among them, else to 8 bytes.
  explicit ArrayLayout(void *memory)
      : begin(reinterpret_cast<uintptr_t>(memory)) {}

  /// The next array, of `count` elements. It must not be accessed if the layout
  /// measures.
  template <typename T> T *take(int64_t count) {
    static_assert(alignof(T) <= kAlignment);
    T *array = reinterpret_cast<T *>(begin + next);
    next += roundUp(uint64_t(count) * sizeof(T), kAlignment);
    return array;
  }

  /// The next array of bytes, at the beginning of a cache line.
  char *takeBuffer(int64_t bytes) {
    next = roundUp(next, uint64_t(kMemoryAlignment));
    return take<char>(bytes);
  }

  /// The size of all arrays.
  int64_t bytes() const { return int64_t(next); }

private:
  static constexpr uint64_t kAlignment = 8;

  uint64_t begin = 0;
  uint64_t next = 0;
};

/// The size of the block of an `Arrays`, whose constructor takes its arrays as
/// `plan` says.
template <typename Arrays, typename Plan> int64_t bytesOf(const Plan &plan) {
  ArrayLayout layout;
  Arrays(plan, layout);
  return layout.bytes();
}

/// The distance between the blocks of two threads, which have `bytes` bytes.
/// They begin on different cache lines, and are shifted against each other as
/// buffers are (BufferLayout.h).
inline int64_t threadPitch(int64_t bytes) {
  return roundUp(bytes, kMemoryAlignment) + 2 * kMemoryAlignment;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_ARRAYLAYOUT_H
