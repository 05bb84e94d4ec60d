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
  explicit Windows(const Contraction &c, int64_t part = 0)
      : c(c), columnBytes(c.channelsIn * c.imageBytes),
        image(c.image + part * columnBytes) {}

  void copyLines(ImageLines lines, int64_t parts, char *buffer) const {
    int64_t begin = c.lines().begin(lines.first), height = c.lines().image;
    int64_t held = c.bufferElements / c.lineElements;
    for (int64_t i = 0; i < held; ++i) {
      int64_t line = c.placeOf(c.lines(), begin + i);
      if (line >= 0)
        line += lines.image * height;
      for (int64_t part = 0; part < parts; ++part)
        copyLine(line, part,
                 buffer + (part * held + i) * c.lineElements * c.imageBytes);
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

  void gatherEdges(const EdgeWindows &windows, char *to) const {
    const WindowAxis &axis = c.lines();
    int64_t bytes = windows.columns * windows.channels * c.imageBytes;
    for (int64_t tap = 0; tap < axis.window; ++tap, to += bytes) {
      int64_t line = windows.plane * axis.image +
                     c.placeOf(axis, windows.line + tap * axis.dilation);
      copyColumns({line, windows.column, windows.step, windows.columns},
                  {windows.channel, windows.channels}, to);
    }
  }

private:
  /// Copies a line, counted over all images, or -1 for one outside the image,
  /// of the part that comes so many behind the first one.
  void copyLine(int64_t line, int64_t part, char *to) const {
    const WindowAxis &columns = c.columns();
    int64_t before = columns.padBefore;
    int64_t width = c.lineElements / c.channelsIn;
    int64_t count = std::min(columns.image, width - before);
    if (line < 0) {
      if (c.record->together > 1 || c.joinsLines)
        fillPadding(to, c.lineElements);
      return;
    }
    if (c.readsBeyond()) {
      copyColumns({line, columns.begin(0), 1, width},
                  {part * c.channelsIn, c.channelsIn}, to);
      return;
    }
    fillPadding(to, std::min(before, width) * c.channelsIn);
    if (count <= 0)
      return;
    copyChannels(to + before * columnBytes,
                 columnOf(line, 0) + part * columnBytes, count, 1);
    fillPadding(to + (before + count) * columnBytes,
                (width - before - count) * c.channelsIn);
  }

  /// Columns of a line, counted over all images.
  struct Columns {
    int64_t line;
    /// The index of the first one, which may be beyond the line, the distance
    /// of the next one, and how many they are.
    int64_t first, step, count;
  };
  struct Channels {
    int64_t first, count;
  };
  Channels allChannels() const { return {0, c.channelsIn}; }

  /// Copies columns, and what is read for those beyond the line. Returns the
  /// end of the copy.
  char *copyColumns(Columns from, Channels channels, char *to) const {
    const WindowAxis &columns = c.columns();
    const char *line = columnOf(from.line, 0) + channels.first * c.imageBytes;
    bool isDense =
        from.step == 1 && channels.count == c.channelsIn && c.parts == 1;
    for (int64_t at = 0, count = 1; at < from.count; at += count) {
      int64_t index = from.first + at * from.step;
      int64_t place = c.placeOf(columns, index);
      count = isDense && place == index
                  ? std::min(columns.image - index, from.count - at)
                  : 1;
      int64_t bytes = count * channels.count * c.imageBytes;
      memcpy(to, line + place * c.columnStride() * c.imageBytes, size_t(bytes));
      to += bytes;
    }
    return to;
  }

  /// Gathers the steps of the window along `axis` and the inner axes. The outer
  /// axes are at `line` of the image, or outside of it.
  char *gatherAxis(int32_t axis, int64_t line, bool isInside,
                   const int64_t *indices, char *to) const {
    const WindowAxis &it = c.window[axis];
    if (axis == c.windowRank - 1) {
      if (c.readsBeyond())
        return copyColumns(
            {line, it.begin(indices[axis]), it.dilation, it.window},
            allChannels(), to);
      WindowAxis::Steps steps = it.inside(indices[axis]);
      if (!isInside)
        steps.count = 0;
      fillPadding(to, steps.first * c.channelsIn);
      char *next = to + steps.first * columnBytes;
      copyChannels(next, columnOf(line, steps.at), steps.count, it.dilation);
      next += steps.count * columnBytes;
      fillPadding(next, (it.window - steps.first - steps.count) * c.channelsIn);
      return to + it.window * columnBytes;
    }
    for (int64_t k = 0; k < it.window; ++k) {
      int64_t at = c.placeOf(it, it.begin(indices[axis]) + k * it.dilation);
      bool inside = isInside && at >= 0;
      to = gatherAxis(axis + 1, inside ? line * it.image + at : 0, inside,
                      indices, to);
    }
    return to;
  }

  const char *columnOf(int64_t line, int64_t column) const {
    return image + (line * c.columns().image + column) * c.columnStride() *
                       c.imageBytes;
  }

  /// Copies the channels of columns that are `step` apart.
  void copyChannels(char *to, const char *from, int64_t count,
                    int64_t step) const {
    int64_t apart = step * c.columnStride() * c.imageBytes;
    if (apart == columnBytes)
      return void(memcpy(to, from, size_t(count * columnBytes)));
    switch (columnBytes) {
    case 4:
      return copyEach<4>(to, from, count, apart);
    case 8:
      return copyEach<8>(to, from, count, apart);
    case 16:
      return copyEach<16>(to, from, count, apart);
    case 32:
      return copyEach<32>(to, from, count, apart);
    case 64:
      return copyEach<64>(to, from, count, apart);
    default:
      for (int64_t i = 0; i < count; ++i)
        memcpy(to + i * columnBytes, from + i * apart, size_t(columnBytes));
    }
  }

  /// A call for so few bytes would take longer.
  template <size_t kBytes>
  static void copyEach(char *to, const char *from, int64_t count,
                       int64_t apart) {
    for (int64_t i = 0; i < count; ++i)
      memcpy(to + i * int64_t(kBytes), from + i * apart, kBytes);
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
  /// Of the channels of a part of the image.
  const int64_t columnBytes;
  /// The first of these channels.
  const char *image;
};

} // namespace

void broadloom::copyLines(const Contraction &c, ImageLines lines, int64_t first,
                          int64_t parts, char *to) noexcept {
  Windows(c, first).copyLines(lines, parts, to);
}

void broadloom::gatherRows(const Contraction &c, int64_t first, int64_t count,
                           int64_t part, char *to) noexcept {
  Windows windows(c, part);
  for (int64_t i = 0; i < count; ++i)
    windows.gather(first + i, to + i * c.lineElements * c.imageBytes);
}

void broadloom::gatherEdges(const Contraction &c, const EdgeWindows &windows,
                            char *to) noexcept {
  Windows(c).gatherEdges(windows, to);
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
