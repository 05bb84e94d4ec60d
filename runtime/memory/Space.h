//===- Space.h - iteration over strided operands ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index space of an element-wise computation and how each operand walks
// through it.
//
// Invariant: elements are numbered in row-major order of the axes, outermost
// first. A stride is in elements and 0 where the operand does not vary (rt-5);
// after coalesce() every extent is greater than 1 and no two neighbouring axes
// could be one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_SPACE_H
#define BROADLOOM_RUNTIME_MEMORY_SPACE_H

#include <cstdint>

namespace broadloom {

/// The most axes after those of extent 1 are dropped: each has two elements or
/// more, and the number of elements fits in 63 bits.
constexpr int32_t kMaxAxes = 62;

/// Arrays are borrowed. Operand i's strides start at `strides + i * pitch`.
struct Space {
  int32_t rank = 0;
  int32_t numOperands = 0;
  int32_t pitch = 0;
  int64_t *extents = nullptr;
  int64_t *strides = nullptr;

  int64_t *stridesOf(int32_t operand) const {
    return strides + int64_t(operand) * pitch;
  }
  int64_t innerExtent() const { return rank ? extents[rank - 1] : 1; }
};

/// Drops axes of extent 1 and merges neighbours if all operands allow it. No
/// extent may be 0.
void coalesce(Space &space);

/// Product of `rank` extents, 0 if one is 0; -1 if it overflows 63 bits or an
/// extent is negative.
inline int64_t countElements(const int64_t *extents, int64_t rank) {
  int64_t count = 1;
  bool overflow = false, empty = false;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (extents[axis] < 0)
      return -1;
    empty |= extents[axis] == 0;
    overflow |= __builtin_mul_overflow(count, extents[axis], &count);
  }
  return empty ? 0 : overflow ? -1 : count;
}

/// Bytes of a row-major tensor; -1 if they overflow 63 bits or an extent is
/// negative.
inline int64_t countBytes(const int64_t *extents, int64_t rank,
                          int64_t elementBytes) {
  int64_t bytes = countElements(extents, rank);
  return bytes < 0 || __builtin_mul_overflow(bytes, elementBytes, &bytes)
             ? -1
             : bytes;
}

/// Row-major strides of `extents`.
inline void rowMajorStrides(const int64_t *extents, int64_t rank,
                            int64_t *strides) {
  int64_t stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    // Saturating, because an empty shape may have other extents of any size.
    if (__builtin_mul_overflow(stride, extents[axis], &stride))
      stride = INT64_MAX;
  }
}

/// Whether elements at these strides are consecutive in row-major order.
/// Strides of axes of extent 1, and of an empty shape, are ignored.
inline bool isRowMajor(const int64_t *extents, const int64_t *strides,
                       int64_t rank) {
  int64_t expected = 1;
  bool fits = true;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (extents[axis] == 0)
      return true;
    if (extents[axis] == 1)
      continue;
    fits &= strides[axis] == expected;
    if (__builtin_mul_overflow(expected, extents[axis], &expected))
      fits = false;
  }
  return fits;
}

/// Whether two tensors of these extents have the same strides, but for axes of
/// one element.
inline bool haveSameStrides(const int64_t *extents, const int64_t *strides,
                            const int64_t *others, int64_t rank) {
  bool same = true;
  for (int64_t axis = 0; axis < rank; ++axis)
    same &= extents[axis] == 1 || strides[axis] == others[axis];
  return same;
}

/// Whether `address` is a multiple of `bytes`, a power of two.
inline bool isAligned(const void *address, int64_t bytes) {
  return (reinterpret_cast<uintptr_t>(address) & uintptr_t(bytes - 1)) == 0;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_SPACE_H
