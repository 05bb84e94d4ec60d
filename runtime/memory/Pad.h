//===- Pad.h - what is shorter than a strip ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements copied to memory where a kernel may read whole strips.
//
// Invariant: of the source, only `bytes` bytes are read.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_PAD_H
#define BROADLOOM_RUNTIME_MEMORY_PAD_H

#include <cstdint>

namespace broadloom {

/// Copies `count` elements of `size` bytes, one at least, and puts the first of
/// them behind them, `padded` elements in all, a multiple of a cache line. `to`
/// is at the beginning of one. Lines are written by one store each where the
/// processor can: a kernel that reads a vector which several stores have just
/// written waits for all of them.
void copyPadded(char *to, const char *from, int32_t size, int64_t count,
                int64_t padded) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_PAD_H
