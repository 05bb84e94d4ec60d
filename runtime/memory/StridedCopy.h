//===- StridedCopy.h - copies between any two layouts -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of whole tensors: into contiguous order, out of it, and from one
// strided layout to another; transpositions go tile by tile.
//
// Invariant: source and target do not overlap, and no two elements of the
// target do. Elements may be of any size and unaligned.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_STRIDEDCOPY_H
#define BROADLOOM_RUNTIME_MEMORY_STRIDEDCOPY_H

#include "runtime/memory/Arena.h"
#include "runtime/threads/Cancellation.h"

namespace broadloom {

/// One side of a copy; strides count elements and may be 0 in a source.
struct CopySide {
  char *base;
  const int64_t *strides;
};

/// Copies all elements of a shape. `threads` as for resolveThreads. Scratch
/// memory comes from `arena` and is freed afterwards; false if there is none.
/// Where the work is cancelled, some elements may be left out.
[[nodiscard]] bool copyStrided(Arena &arena, int32_t threads,
                               const int64_t *extents, int64_t rank,
                               int64_t elementBytes, const CopySide &to,
                               const CopySide &from,
                               const Cancellation &isCancelled = {}) noexcept;

/// The number of threads that pays for so many bytes, at most `threads`.
int32_t threadsFor(int32_t threads, int64_t bytes) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_STRIDEDCOPY_H
