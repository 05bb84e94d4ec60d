//===- Panels.h - the layout of weights that kernels read -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler lays out constant weights, and the runtime all others: those
// that a caller promises not to change once (KeptPanels.h), the rest in each
// launch.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H

#include "runtime/Rounding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace broadloom {

/// The source of a panel: `taps` times `tapDepth` steps of a sum, `stepStride`
/// apart, with channels `channelStride` apart, all in elements.
struct PanelSource {
  const char *from;
  int64_t stepStride;
  int64_t channelStride;
  int64_t taps;
  int64_t tapDepth;
  int64_t channels;
};

/// The steps of a tap in a panel that stores `together` of them together.
inline int64_t stepsOfTap(int64_t tapDepth, int64_t together) {
  return roundUp(tapDepth, together);
}

/// The number of rows of `width` elements of a panel: with `together` steps,
/// also `together` rows before them for the initial values of sums.
inline int64_t rowsOfPanel(int64_t taps, int64_t tapDepth, int64_t together) {
  return taps * stepsOfTap(tapDepth, together) + (together > 1 ? together : 0);
}

/// Channels of the sums.
struct PanelChannels {
  int64_t first, count;
};

/// The panels of `width` channels that so many have: each is of one of `parts`
/// equal parts of the channels.
inline int64_t countPanels(int64_t channels, int64_t parts, int64_t width) {
  return channels / parts <= width ? parts
                                   : parts * divideUp(channels / parts, width);
}

/// The channels of panel `panel` of these.
inline PanelChannels channelsOfPanel(int64_t channels, int64_t parts,
                                     int64_t width, int64_t panel) {
  int64_t own = channels / parts;
  int64_t each = countPanels(own, 1, width);
  int64_t first = panel % each * width;
  return {panel / each * own + first, std::min(width, own - first)};
}

/// Whether a packed weight is in panels, a tensor of three axes. If it is not,
/// it still has the `axes` extents `packed`, maybe behind one of 1: a weight
/// that the runtime lays out once. Panels with these extents are the weight as
/// it is.
inline bool isInPanels(const int64_t *extents, int64_t rank,
                       const int64_t *packed, int64_t axes) {
  if (rank == axes + 1 && extents[0] == 1) {
    ++extents;
    --rank;
  }
  bool isSame = rank == axes;
  for (int64_t i = 0; isSame && i < axes; ++i)
    isSame = extents[i] == packed[i];
  return !isSame;
}

/// Writes a panel of `width` channels (BroadloomTile): for each step its
/// channels, which are consecutive in the source, followed by 0.
inline void packPanel(const PanelSource &source, int64_t width,
                      int64_t elementBytes, char *to) {
  const char *from = source.from;
  int64_t used = source.channels * elementBytes, all = width * elementBytes;
  for (int64_t k = 0; k < source.taps * source.tapDepth; ++k) {
    memcpy(to, from, size_t(used));
    memset(to + used, 0, size_t(all - used));
    from += source.stepStride * elementBytes;
    to += all;
  }
}

/// Packs four steps of bytes from `from` on, together for each channel, and
/// adds them to `sums`.
inline void packFour(const PanelSource &source, const char *from, char *to,
                     uint32_t *sums) {
  int64_t stride = source.channelStride, step = source.stepStride;
  for (int64_t o = 0; o < source.channels; ++o) {
    const char *at = from + o * stride;
    char four[4] = {at[0], at[step], at[2 * step], at[3 * step]};
    memcpy(to + 4 * o, four, sizeof(four));
    for (char element : four)
      sums[o] += uint32_t(int32_t(int8_t(element)));
  }
}

/// The same for bytes, `together` steps for each channel. Kernels add 128 to
/// the image's bytes; so the initial values of sums compensate for these 128
/// and for the image's zero point `zero`. `to` is aligned to 4.
inline void packBytes(const PanelSource &source, int64_t width,
                      int64_t together, int64_t zero, char *to) {
  int64_t rows = rowsOfPanel(source.taps, source.tapDepth, together);
  memset(to, 0, size_t(rows * width));
  auto *sums = reinterpret_cast<uint32_t *>(to);
  char *panel = to + together * width;
  for (int64_t t = 0; t < source.taps; ++t) {
    const char *tap = source.from + t * source.tapDepth * source.stepStride;
    int64_t k = 0;
    for (; together == 4 && k + 4 <= source.tapDepth; k += 4)
      packFour(source, tap + k * source.stepStride, panel + k * width, sums);
    for (; k < source.tapDepth; ++k)
      for (int64_t o = 0; o < source.channels; ++o) {
        char element = tap[k * source.stepStride + o * source.channelStride];
        panel[k / together * together * width + o * together + k % together] =
            element;
        sums[o] += uint32_t(int32_t(int8_t(element)));
      }
    panel += stepsOfTap(source.tapDepth, together) * width;
  }
  for (int64_t o = 0; o < source.channels; ++o)
    sums[o] *= uint32_t(-(zero + 128));
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_PANELS_H
