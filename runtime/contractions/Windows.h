//===- Windows.h - what windows read, side by side --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How parts of an image get into the buffer of a block.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_WINDOWS_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_WINDOWS_H

#include "runtime/contractions/Contraction.h"

namespace broadloom {

/// Copies the lines of the image that the windows of `lines` reach, with their
/// padding, for each of `parts` parts from `first` on. Lines outside the image
/// have space in the buffer that is not written if kernels skip them.
void copyLines(const Contraction &c, ImageLines lines, int64_t first,
               int64_t parts, char *to) noexcept;

/// Gathers all elements of the window of each of these rows, of the channels
/// those of `part`.
void gatherRows(const Contraction &c, int64_t first, int64_t count,
                int64_t part, char *to) noexcept;

/// Neighbouring windows by channel that reach beyond the image.
struct EdgeWindows {
  /// The number of the plane, of all images.
  int64_t plane;
  /// The indices at which the first window begins, which may be beyond the
  /// image.
  int64_t line, column;
  /// The columns that are read, `step` apart.
  int64_t columns, step;
  int64_t channel, channels;
};

/// Gathers the lines of these windows: for each, all columns, and for each
/// column the channels.
void gatherEdges(const Contraction &c, const EdgeWindows &windows,
                 char *to) noexcept;

/// Copies these rows of a group's image, each contiguously.
void copyRows(const Contraction &c, int64_t group, int64_t first, int64_t count,
              char *to) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_WINDOWS_H
