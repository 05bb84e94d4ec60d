//===- Panels.h - the layout of weights that kernels read -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler lays out constant weights, and the runtime all others.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H

#include <cstdint>
#include <cstring>

namespace broadloom {

/// Writes a panel of `width` channels (BroadloomTile): for each of `depth` rows
/// of a weight, which are `rowBytes` apart from `from` on, its first `channels`
/// elements, and 0 beyond them.
inline void packPanel(const char *from, int64_t rowBytes, int64_t depth,
                      int64_t channels, int64_t width, int64_t elementBytes,
                      char *to) {
  int64_t used = channels * elementBytes, all = width * elementBytes;
  for (int64_t k = 0; k < depth; ++k, from += rowBytes, to += all) {
    memcpy(to, from, size_t(used));
    memset(to + used, 0, size_t(all - used));
  }
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H
