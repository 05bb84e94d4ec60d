//===- BufferLayout.h - buffers in a piece of memory ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the buffers of one thread lie in its memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_BUFFERLAYOUT_H
#define BROADLOOM_RUNTIME_MEMORY_BUFFERLAYOUT_H

#include "runtime/Rounding.h"
#include "runtime/abi/Abi.h"
#include "runtime/memory/Allocator.h"

namespace broadloom {

/// The distance of rows of `count` elements in a buffered block. Not a power of
/// two, with which all rows would map to the same few lines of the first cache.
inline int64_t blockPitch(int64_t count) {
  return count + BROADLOOM_STRIP_MULTIPLE;
}

/// Places buffers one after another, each at an aligned offset.
class BufferLayout {
public:
  /// With `shifts`, buffers are shifted against each other, because addresses
  /// with equal low bits map to the same lines of the first cache. Buffers of a
  /// few elements do not need that.
  explicit BufferLayout(bool shifts = true) : shift(shifts ? kShift : 0) {}

  /// The offset of a buffer of `bytes`.
  int64_t place(int64_t bytes) {
    int64_t at = next;
    next += roundUp(bytes, kMemoryAlignment) + shift;
    return at;
  }

  /// The size of all buffers.
  int64_t bytes() const { return next; }

private:
  static constexpr int64_t kShift = 3 * 64;

  const int64_t shift;
  int64_t next = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_BUFFERLAYOUT_H
