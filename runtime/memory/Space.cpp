//===- Space.cpp - iteration over strided operands ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Space.h"

using namespace broadloom;

void broadloom::coalesce(Space &space) {
  int32_t kept = -1; // last axis of the coalesced space
  for (int32_t axis = 0; axis < space.rank; ++axis) {
    int64_t extent = space.extents[axis];
    if (extent == 1)
      continue;
    bool merges = kept >= 0;
    for (int32_t i = 0; merges && i < space.numOperands; ++i) {
      const int64_t *strides = space.stridesOf(i);
      merges = strides[kept] == strides[axis] * extent;
    }
    if (!merges)
      ++kept;
    space.extents[kept] = merges ? space.extents[kept] * extent : extent;
    for (int32_t i = 0; i < space.numOperands; ++i) {
      int64_t *strides = space.stridesOf(i);
      strides[kept] = strides[axis];
    }
  }
  space.rank = kept + 1;
}
