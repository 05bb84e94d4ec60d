//===- Fill.h - operands brought into consecutive order ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Staging: the elements of a strided or broadcast operand for a run of
// consecutive elements of the result, written one after another into a buffer.
//
// Invariant: exactly `count` elements are written, and only elements that the
// operand has are read. Elements are 1, 2, 4 or 8 bytes; the memory that is
// read need not be aligned to them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_FILL_H
#define BROADLOOM_RUNTIME_MEMORY_FILL_H

#include <cstdint>

namespace broadloom {

/// `count` copies of the element at `from`.
void fillSplat(char *to, const char *from, int64_t count, int32_t bytes);

/// `count` elements that are `stride` elements apart.
void fillStrided(char *to, const char *from, int64_t stride, int64_t count,
                 int32_t bytes);

/// One operand of a coalesced space.
struct Walk {
  const char *base = nullptr;
  int32_t bytes = 0;
  int32_t rank = 0;
  const int64_t *extents = nullptr;
  const int64_t *strides = nullptr;
  /// Element i and element i + period are the same element of the operand.
  int64_t period = 0;
};

/// The least number of elements after which the operand repeats: the product
/// of the extents from the first axis on that it varies along.
inline int64_t periodOf(const Walk &walk) {
  int32_t axis = 0;
  while (axis < walk.rank && walk.strides[axis] == 0)
    ++axis;
  int64_t period = 1;
  for (; axis < walk.rank; ++axis)
    period *= walk.extents[axis];
  return period;
}

/// Elements [start, start + count) of the walk.
void fillWalk(char *to, const Walk &walk, int64_t start, int64_t count);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_FILL_H
