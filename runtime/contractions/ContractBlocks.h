//===- ContractBlocks.h - how rows are divided into blocks ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of rows, or of lines, of a contraction: what a thread computes at a
// time, and what threads share.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTBLOCKS_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTBLOCKS_H

#include "runtime/contractions/Contraction.h"

namespace broadloom {

/// With fewer rows, a block spends too much time reading the weight, of which
/// each block reads all.
constexpr int64_t kLeastRows = 96;
/// Items of work for each thread, so that threads end at about the same time.
constexpr int64_t kItemsForThread = 3;

/// The size of a part of the weight that stays in the first cache, beside what
/// is read along with it: the lines that it is laid out from, or the image.
constexpr int64_t kPartBytes = int64_t(16) << 10;

/// Plans how many channels of a contraction by channel are computed at a time,
/// its panels: all of them if the first cache holds their weights. The memory
/// of the image is read fastest along all channels.
void planChannels(Contraction &c) noexcept;

/// Plans blocks of lines, or of rows, for c.threads threads; for a weight in
/// panels, and for a contraction by channel, also whether threads share panels.
void planLines(Contraction &c) noexcept;
void planRows(Contraction &c) noexcept;

/// Whether rows that are so many bytes apart map to the same sets of the first
/// cache, or nearly.
bool areInSameSets(int64_t distance) noexcept;

/// The length of parts of about equal length: at most `most`, rounded up to a
/// multiple of `step`, or all of it.
int64_t divideEvenly(int64_t all, int64_t most, int64_t step) noexcept;

/// The saturating product of numbers that are not negative.
inline int64_t multiply(int64_t x, int64_t y) {
  int64_t product;
  return __builtin_mul_overflow(x, y, &product) ? INT64_MAX : product;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTBLOCKS_H
