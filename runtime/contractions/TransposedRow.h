//===- TransposedRow.h - one row and a transposed weight --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product of one row and a transposed matrix reads each element of the
// matrix once. To lay the matrix out in panels takes longer than the product.
// So squares of it are transposed in registers.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_TRANSPOSEDROW_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_TRANSPOSEDROW_H

#include <cstdint>

namespace broadloom {

/// The least number of channels of a weight that sumTransposed takes.
constexpr int64_t kLeastTransposed = 8;

/// Whether the processor has the instructions of sumTransposed.
bool canSumTransposed() noexcept;

/// Sets sums[o - begin], for the channels o of [begin, end), to the chain of
/// fused multiply-adds of row[k] and weight[o * stride + k] for the steps k of
/// [0, depth) in this order, from 0 on (sum-1). The weight has `channels`
/// channels, at least kLeastTransposed, of which others may be read, too.
void sumTransposed(const float *row, const float *weight, int64_t stride,
                   int64_t depth, int64_t channels, int64_t begin, int64_t end,
                   float *sums) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_TRANSPOSEDROW_H
