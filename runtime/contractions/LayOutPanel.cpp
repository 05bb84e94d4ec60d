//===- LayOutPanel.cpp - weights of a call in panels ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a step of a sum, the channels of a panel are contiguous in the weight;
// those of the next step are far away. The next step is prefetched, because
// processors do not predict its addresses.
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/contractions/Contraction.h"
#include "runtime/contractions/Panels.h"
#include "runtime/memory/Block.h"

#include <algorithm>
#include <cstdint>

using namespace broadloom;

namespace {

constexpr int64_t kAhead = 12, kLine = 64;
/// Steps of a transposed weight that are laid out together.
constexpr int64_t kSteps = 64;

/// Steps [0, count) of a whole panel of `kBytes`.
template <int64_t kBytes>
__attribute__((always_inline)) inline void
copySteps(char *to, const char *from, int64_t rowBytes, int64_t count) {
  for (int64_t k = 0; k < count; ++k, from += rowBytes, to += kBytes) {
    uintptr_t ahead = reinterpret_cast<uintptr_t>(from) +
                      uintptr_t(rowBytes) * uintptr_t(kAhead);
    for (int64_t line = 0; line < kBytes; line += kLine)
      __builtin_prefetch(
          reinterpret_cast<const void *>(ahead + uintptr_t(line)));
    memcpy(to, from, size_t(kBytes));
  }
}

__attribute__((always_inline)) inline bool copyWhole(char *to, const char *from,
                                                     int64_t rowBytes,
                                                     int64_t count,
                                                     int64_t panelBytes) {
  switch (panelBytes) {
  case 16:
    copySteps<16>(to, from, rowBytes, count);
    return true;
  case 32:
    copySteps<32>(to, from, rowBytes, count);
    return true;
  case 48:
    copySteps<48>(to, from, rowBytes, count);
    return true;
  case 64:
    copySteps<64>(to, from, rowBytes, count);
    return true;
  case 96:
    copySteps<96>(to, from, rowBytes, count);
    return true;
  case 128:
    copySteps<128>(to, from, rowBytes, count);
    return true;
  case 192:
    copySteps<192>(to, from, rowBytes, count);
    return true;
  case 256:
    copySteps<256>(to, from, rowBytes, count);
    return true;
  default:
    return false;
  }
}

/// Steps [0, count) of a panel of `panelBytes`, of each the first `used` bytes.
void copyPart(char *to, const char *from, int64_t rowBytes, int64_t count,
              int64_t used, int64_t panelBytes) {
  for (int64_t k = 0; k < count; ++k, from += rowBytes, to += panelBytes) {
    // A call for the few bytes of a step would take longer.
    int64_t at = 0;
    for (; at + 16 <= used; at += 16)
      memcpy(to + at, from + at, 16);
    for (; at + 4 <= used; at += 4)
      memcpy(to + at, from + at, 4);
    for (; at < used; ++at)
      to[at] = from[at];
  }
}

/// Whether the channels of a step are consecutive in the weight as it was
/// given.
bool areConsecutive(const Contraction &c, int64_t channels) {
  return c.givenChannel == 1 || channels == 1;
}

} // namespace

void broadloom::layOutSteps(const Contraction &c, int64_t group, int64_t panel,
                            int64_t begin, int64_t count, char *to) noexcept {
  int64_t width = c.panelWidth, bytes = c.weightBytes;
  auto [first, channels] =
      channelsOfPanel(c.channelsOut, c.parts, width, panel);
  const char *from = c.weight + (group * c.givenGroup + begin * c.givenStep +
                                 first * c.givenChannel) *
                                    bytes;
  if (!areConsecutive(c, channels)) {
    // Lays out some steps of all channels at a time, while they are in the
    // first cache.
    for (int64_t k = 0; k < count; k += kSteps)
      gatherBlock(to + k * width * bytes, width, from + k * c.givenStep * bytes,
                  c.givenStep, c.givenChannel, std::min(kSteps, count - k),
                  channels, int32_t(bytes));
    return;
  }
  if (channels < width ||
      !copyWhole(to, from, c.givenStep * bytes, count, width * bytes))
    copyPart(to, from, c.givenStep * bytes, count, channels * bytes,
             width * bytes);
}

void broadloom::layOutPanel(const Contraction &c, int64_t group, int64_t panel,
                            char *to) noexcept {
  int64_t depth = c.depth(), width = c.panelWidth, bytes = c.weightBytes;
  auto [first, channels] =
      channelsOfPanel(c.channelsOut, c.parts, width, panel);
  if (c.record->together > 1) {
    const char *from =
        c.weight + (group * c.givenGroup + first * c.givenChannel) * bytes;
    return packBytes(
        {from, c.givenStep, c.givenChannel, c.taps(), c.tapDepth(), channels},
        width, c.record->together, int8_t(c.record->padding), to);
  }
  layOutSteps(c, group, panel, 0, depth, to);
  // Kernels read whole vectors, of a line at most.
  int64_t used = channels * bytes;
  int64_t read = std::min(roundUp(used, kLine), width * bytes);
  for (int64_t k = 0; used < read && k < depth; ++k)
    memset(to + k * width * bytes + used, 0, size_t(read - used));
}
