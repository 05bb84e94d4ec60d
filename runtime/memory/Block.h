//===- Block.h - two-dimensional blocks of strided operands -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a block of an operand that is strided along rows and columns to rows
// of consecutive elements. This matters for transposed operands: their columns
// are consecutive in memory, and each element of a row is in another cache
// line.
//
// Invariant: exactly rows x columns elements are written, and only the
// elements of the block are read. Elements are 1, 2, 4 or 8 bytes and need not
// be aligned.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_BLOCK_H
#define BROADLOOM_RUNTIME_MEMORY_BLOCK_H

#include <cstdint>

namespace broadloom {

/// to[row * toPitch + column] = from[row * rowStride + column * columnStride];
/// all in elements.
void gatherBlock(char *to, int64_t toPitch, const char *from, int64_t rowStride,
                 int64_t columnStride, int64_t rows, int64_t columns,
                 int32_t bytes);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_BLOCK_H
