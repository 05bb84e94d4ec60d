//===- Windows.cpp - what windows read, side by side ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/Windows.h"

#include "runtime/Rounding.h"
#include "runtime/memory/Block.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

WindowAxis::Steps WindowAxis::inside(int64_t index) const {
  int64_t from = begin(index), room = image - from;
  int64_t end = room <= 0 ? 0 : std::min(window, (room - 1) / dilation + 1);
  int64_t first = from >= 0 ? 0 : divideUp(-from, dilation);
  first = std::min(first, end);
  return {first, end - first, first < end ? from + first * dilation : 0};
}

WindowAxis::Results WindowAxis::seeing(int64_t step) const {
  int64_t at = step * dilation - padBefore;
  int64_t from = at >= 0 ? 0 : divideUp(-at, stride);
  int64_t end = at >= image ? 0 : divideUp(image - at, stride);
  from = std::min(from, result);
  return {from, std::clamp(end, from, result)};
}

namespace {

class Windows {
public:
  explicit Windows(const Contraction &c) : c(c) {}

  void copyLines(ImageLines lines, char *buffer) const {
    const WindowAxis &columns = c.columns();
    int64_t begin = c.lines().begin(lines.first), height = c.lines().image;
    int64_t held = c.bufferElements / c.lineElements;
    int64_t columnBytes = c.channelsIn * c.imageBytes;
    int64_t before = columns.padBefore;
    int64_t width = c.lineElements / c.channelsIn;
    int64_t count = std::min(columns.image, width - before);
    for (int64_t i = 0; i < held; ++i) {
      int64_t line = findPlace(c.lines(), begin + i);
      bool isInside = line >= 0 && line < height;
      char *to = buffer + i * width * columnBytes;
      if (!isInside && c.record->together > 1)
        fillPadding(to, c.lineElements);
      if (!isInside)
        continue;
      if (c.readsBeyond()) {
        copyWideLine(lines.image * height + line, to);
        continue;
      }
      fillPadding(to, std::min(before, width) * c.channelsIn);
      if (count <= 0)
        continue;
      memcpy(to + before * columnBytes,
             c.image +
                 (lines.image * height + line) * columns.image * columnBytes,
             size_t(count * columnBytes));
      fillPadding(to + (before + count) * columnBytes,
                  (width - before - count) * c.channelsIn);
    }
  }

  void gather(int64_t row, char *to) const {
    int64_t indices[BROADLOOM_MAX_RANK];
    int64_t image = row / c.rowsPerImage, rest = row % c.rowsPerImage;
    for (int32_t axis = c.windowRank - 1; axis >= 0; --axis) {
      indices[axis] = rest % c.window[axis].result;
      rest /= c.window[axis].result;
    }
    gatherAxis(0, image, true, indices, to);
  }

private:
  /// The index in the image for one beyond its ends; any one outside if padding
  /// is read there.
  int64_t findPlace(const WindowAxis &axis, int64_t index) const {
    if (!c.readsBeyond() || (index >= 0 && index < axis.image))
      return index;
    PlaceArithmetic arithmetic;
    return broadloom::findPlace(arithmetic, BoundaryKind(c.record->boundary),
                                index, axis.image);
  }

  /// Copies a line of the image, and what is read before it and behind it.
  void copyWideLine(int64_t line, char *to) const {
    const WindowAxis &columns = c.columns();
    int64_t columnBytes = c.channelsIn * c.imageBytes;
    int64_t width = c.lineElements / c.channelsIn;
    const char *from = c.image + line * columns.image * columnBytes;
    int64_t begin = columns.begin(0);
    for (int64_t at = 0; at < width;) {
      int64_t index = begin + at, count = 1;
      if (index >= 0 && index < columns.image)
        count = std::min(columns.image - index, width - at);
      memcpy(to + at * columnBytes,
             from + findPlace(columns, index) * columnBytes,
             size_t(count * columnBytes));
      at += count;
    }
  }

  /// Gathers the steps of the window along `axis` and the inner axes. The outer
  /// axes are at `line` of the image, or outside of it.
  char *gatherAxis(int32_t axis, int64_t line, bool isInside,
                   const int64_t *indices, char *to) const {
    const WindowAxis &it = c.window[axis];
    int64_t columnBytes = c.channelsIn * c.imageBytes;
    if (axis == c.windowRank - 1) {
      if (c.readsBeyond())
        return gatherWide(it, line, it.begin(indices[axis]), to);
      WindowAxis::Steps steps = it.inside(indices[axis]);
      if (!isInside)
        steps.count = 0;
      const char *from = c.image + (line * it.image + steps.at) * columnBytes;
      fillPadding(to, steps.first * c.channelsIn);
      char *next = to + steps.first * columnBytes;
      if (it.dilation == 1)
        memcpy(next, from, size_t(steps.count * columnBytes));
      else
        for (int64_t k = 0; k < steps.count; ++k)
          memcpy(next + k * columnBytes, from + k * it.dilation * columnBytes,
                 size_t(columnBytes));
      next += steps.count * columnBytes;
      fillPadding(next, (it.window - steps.first - steps.count) * c.channelsIn);
      return to + it.window * columnBytes;
    }
    for (int64_t k = 0; k < it.window; ++k) {
      int64_t at = findPlace(it, it.begin(indices[axis]) + k * it.dilation);
      bool inside = isInside && at >= 0 && at < it.image;
      to = gatherAxis(axis + 1, inside ? line * it.image + at : 0, inside,
                      indices, to);
    }
    return to;
  }

  /// Gathers a window of columns from `begin` on, of which all are elements of
  /// the image.
  char *gatherWide(const WindowAxis &columns, int64_t line, int64_t begin,
                   char *to) const {
    size_t columnBytes = size_t(c.channelsIn * c.imageBytes);
    for (int64_t k = 0; k < columns.window; ++k) {
      int64_t at = findPlace(columns, begin + k * columns.dilation);
      memcpy(to, c.image + (line * columns.image + at) * int64_t(columnBytes),
             columnBytes);
      to += columnBytes;
    }
    return to;
  }

  void fillPadding(char *to, int64_t elements) const {
    if (c.record->padding == 0) {
      memset(to, 0, size_t(elements * c.imageBytes));
      return;
    }
    for (int64_t i = 0; i < elements; ++i)
      memcpy(to + i * c.imageBytes, &c.record->padding, size_t(c.imageBytes));
  }

  const Contraction &c;
};

} // namespace

void broadloom::copyLines(const Contraction &c, ImageLines lines,
                          char *to) noexcept {
  Windows(c).copyLines(lines, to);
}

void broadloom::gatherRows(const Contraction &c, int64_t first, int64_t count,
                           char *to) noexcept {
  Windows windows(c);
  for (int64_t i = 0; i < count; ++i)
    windows.gather(first + i, to + i * c.lineElements * c.imageBytes);
}

void broadloom::copyRows(const Contraction &c, int64_t group, int64_t first,
                         int64_t count, char *to) noexcept {
  const char *from = c.rowOfImage(group, first);
  if (c.imageStep != 1)
    return gatherBlock(to, c.lineElements, from, c.imageRowStride, c.imageStep,
                       count, c.depth(), int32_t(c.imageBytes));
  for (int64_t i = 0; i < count; ++i)
    memcpy(to + i * c.lineElements * c.imageBytes,
           from + i * c.imageRowStride * c.imageBytes,
           size_t(c.depth() * c.imageBytes));
}
