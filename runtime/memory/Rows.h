//===- Rows.h - short rows, one after another -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies many rows of a few elements each, which are too short for a loop or a
// call per row.
//
// Invariant: exactly rows x length elements are written, and only elements of
// the rows are read. Elements are 1, 2, 4 or 8 bytes and need not be aligned;
// lengths and strides count elements.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_ROWS_H
#define BROADLOOM_RUNTIME_MEMORY_ROWS_H

#include <cstdint>

namespace broadloom {

/// Fills row i with `length` copies of the element at from[i * stride].
void splatRows(char *to, const char *from, int64_t rows, int64_t length,
               int64_t stride, int32_t bytes);

/// Copies `length` elements from from[i * stride] to to[i * toStride] for each
/// row i. Nothing between the rows is written.
void copyRows(char *to, int64_t toStride, const char *from, int64_t stride,
              int64_t rows, int64_t length, int32_t bytes);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_ROWS_H
