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

/// The lines of the image that the windows of `lines` reach, with what pads
/// them; lines that are not in the image have room there and stay as they are,
/// where kernels go over the others alone.
void copyLines(const Contraction &c, ImageLines lines, char *to) noexcept;

/// For each of these rows all elements of its window, side by side.
void gatherRows(const Contraction &c, int64_t first, int64_t count,
                char *to) noexcept;

/// These rows of a group's image, each side by side.
void copyRows(const Contraction &c, int64_t group, int64_t first, int64_t count,
              char *to) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_WINDOWS_H
