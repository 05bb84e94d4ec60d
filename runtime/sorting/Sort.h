//===- Sort.h - elements in order -------------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting along an axis. Each element becomes an unsigned number with the same
// order, so that one algorithm serves all element types: numbers are compared
// as bits, and where many are wanted, sorted digit by digit. The order is that
// of sort-1.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_SORTING_SORT_H
#define BROADLOOM_RUNTIME_SORTING_SORT_H

#include "runtime/calls/Tensor.h"
#include "runtime/memory/Arena.h"

namespace broadloom {

/// One tensor of a sort: the first element, and strides in elements.
struct SortedTensor {
  char *data;
  const int64_t *strides;
};

/// A source with `rank` extents, of which the first `count` elements in order
/// along `axis` are wanted.
struct Sorting {
  BroadloomElementType elementType;
  int32_t rank;
  int32_t axis;
  bool isDescending;
  const int64_t *extents;
  int64_t count;
  SortedTensor source, values, indices;
};

/// Writes values and indices of `sorting`, on at most `threads` threads. False
/// if `arena` has not enough memory. The extents have no more elements than
/// memory.
bool sortAlong(const Sorting &sorting, Arena &arena, int32_t threads) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_SORTING_SORT_H
