//===- Pad.h - what is shorter than a strip ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies elements to memory in which a kernel may read whole strips.
//
// Invariant: of the source, only `bytes` bytes are read.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_PAD_H
#define BROADLOOM_RUNTIME_MEMORY_PAD_H

#include <cstdint>

namespace broadloom {

/// Copies `count` elements of `size` bytes, at least one, and appends copies of
/// the first up to `padded` elements, a multiple of a cache line. `to` is
/// aligned to a cache line. Each line is written by one store if the processor
/// can: a vector load waits for all stores that have just written parts of it.
void copyPadded(char *to, const char *from, int32_t size, int64_t count,
                int64_t padded) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_PAD_H
