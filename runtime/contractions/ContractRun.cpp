//===- ContractRun.cpp - blocks of rows to the kernel ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/Contraction.h"
#include "runtime/contractions/Panels.h"
#include "runtime/memory/BufferLayout.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

WindowAxis::Steps WindowAxis::inside(int64_t place) const {
  int64_t from = begin(place), room = image - from;
  int64_t end = room <= 0 ? 0 : std::min(window, (room - 1) / dilation + 1);
  int64_t first = from >= 0 ? 0 : (-from + dilation - 1) / dilation;
  first = std::min(first, end);
  return {first, end - first, first < end ? from + first * dilation : 0};
}

namespace {

class ContractWorker {
public:
  ContractWorker(const Contraction &c, char *memory)
      : c(c), places(reinterpret_cast<char **>(memory)),
        strides(reinterpret_cast<int64_t *>(places + c.numPlaces)),
        buffer(memory + tableBytes(c)) {
    // The rows of a tile differ along the innermost axis alone.
    for (int32_t i = 0; i < c.numPlaces; ++i)
      strides[i] = c.rows.rank ? c.rows.stridesOf(i)[c.rows.rank - 1] : 0;
  }

  static int64_t tableBytes(const Contraction &c) {
    return roundUp(16 * int64_t(c.numPlaces), kMemoryAlignment);
  }

  void run(int64_t begin, int64_t end) {
    int64_t panels = c.numPanels();
    for (int64_t item = begin; item < end; ++item) {
      if (c.packsPanels) {
        runPacked(item / c.blocksPerGroup, item % c.blocksPerGroup);
        continue;
      }
      if (!c.sharesPanels) {
        prepare(item);
        if (c.source == RowSource::Channels)
          runChannels(item);
        else
          for (int64_t panel = 0; panel < panels; ++panel)
            runPanel(item, panel);
        continue;
      }
      prepare(item / panels);
      runPanel(item / panels, item % panels);
    }
  }

private:
  int64_t groupOf(int64_t block) const { return block / c.blocksPerGroup; }

  /// The image and the first line of a block of lines, and how many it has.
  struct Lines {
    int64_t image, first, count;
  };
  Lines linesOf(int64_t block) const {
    int64_t height = c.lines().result;
    int64_t perImage = (height + c.blockSize - 1) / c.blockSize;
    int64_t first = block % perImage * c.blockSize;
    return {block / perImage, first, std::min(c.blockSize, height - first)};
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  void fillPadding(char *to, int64_t elements) const {
    if (c.record->padding == 0) {
      memset(to, 0, size_t(elements * c.imageBytes));
      return;
    }
    for (int64_t i = 0; i < elements; ++i)
      memcpy(to + i * c.imageBytes, &c.record->padding, size_t(c.imageBytes));
  }

  void prepare(int64_t block) {
    if (block == prepared || c.bufferElements == 0)
      return;
    prepared = block;
    if (c.source == RowSource::Lines)
      return copyLines(linesOf(block));
    int64_t first = block % c.blocksPerGroup * c.blockSize;
    int64_t count = std::min(c.blockSize, c.rowsPerGroup - first);
    first += groupOf(block) * c.rowsPerGroup;
    for (int64_t i = 0; i < count; ++i)
      gather(first + i, buffer + i * c.lineElements * c.imageBytes);
  }

  /// The lines of the image that a block's windows reach, with what pads them;
  /// lines that are not in the image have their place and stay as they are.
  void copyLines(Lines lines) const {
    const WindowAxis &columns = c.columns();
    int64_t begin = c.lines().begin(lines.first), height = c.lines().image;
    int64_t held = c.bufferElements / c.lineElements;
    int64_t columnBytes = c.channelsIn * c.imageBytes;
    int64_t before = columns.padBefore;
    int64_t width = c.lineElements / c.channelsIn;
    int64_t count = std::min(columns.image, width - before);
    for (int64_t i = 0; i < held; ++i) {
      int64_t line = begin + i;
      if (line < 0 || line >= height)
        continue;
      char *to = buffer + i * width * columnBytes;
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

  /// All elements of the window of a row, side by side.
  void gather(int64_t row, char *to) const {
    int64_t places[BROADLOOM_MAX_RANK];
    int64_t image = row / c.rowsPerImage, rest = row % c.rowsPerImage;
    for (int32_t axis = c.windowRank - 1; axis >= 0; --axis) {
      places[axis] = rest % c.window[axis].result;
      rest /= c.window[axis].result;
    }
    gatherAxis(0, image, true, places, to);
  }

  /// The steps of the window along `axis` and the axes behind it, where the
  /// axes before are at `line` of the image, or outside.
  char *gatherAxis(int32_t axis, int64_t line, bool isInside,
                   const int64_t *places, char *to) const {
    const WindowAxis &it = c.window[axis];
    int64_t columnBytes = c.channelsIn * c.imageBytes;
    if (axis == c.windowRank - 1) {
      WindowAxis::Steps steps = it.inside(places[axis]);
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
      int64_t at = it.begin(places[axis]) + k * it.dilation;
      bool inside = isInside && at >= 0 && at < it.image;
      to = gatherAxis(axis + 1, inside ? line * it.image + at : 0, inside,
                      places, to);
    }
    return to;
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// Hands a tile to the kernel, of rows from `row` and channels from `channel`
  /// on: as many rows at a time as are evenly spaced in all places.
  void call(BroadloomTile tile, int64_t row, int64_t channel) {
    int64_t inner = c.rows.innerExtent();
    int64_t left = tile.rows;
    tile.places = reinterpret_cast<void *const *>(places);
    tile.strides = strides;
    while (left > 0) {
      int64_t within = c.rows.rank ? row % inner : 0;
      tile.rows = c.rows.rank ? std::min(left, inner - within) : left;
      for (int32_t i = 0; i < c.numPlaces; ++i)
        places[i] =
            c.data[i] +
            (offsetOf(i, row) + (c.hasChannels[i] ? channel : 0)) * c.bytes[i];
      c.record->kernel(&tile);
      left -= tile.rows;
      row += tile.rows;
      tile.image = static_cast<const char *>(tile.image) +
                   tile.rows * tile.rowStride * c.imageBytes;
    }
  }

  int64_t offsetOf(int32_t place, int64_t row) const {
    const int64_t *own = c.rows.stridesOf(place);
    int64_t offset = 0;
    for (int32_t axis = c.rows.rank - 1; axis > 0; --axis) {
      offset += row % c.rows.extents[axis] * own[axis];
      row /= c.rows.extents[axis];
    }
    return c.rows.rank ? offset + row * own[0] : 0;
  }

  /// A block of a group with the panel `number`, of all groups', which the
  /// buffer holds if the block before had it too.
  void runPacked(int64_t number, int64_t block) {
    int64_t group = number / c.numPanels(), panel = number % c.numPanels();
    if (number != prepared)
      layOutPanel(c, group, panel, buffer);
    prepared = number;
    runPanel(group * c.blocksPerGroup + block, panel);
  }

  void runPanel(int64_t block, int64_t panel) {
    BroadloomTile tile{};
    int64_t group = groupOf(block);
    bool isLast = c.lastPanel && panel == c.numPanels() - 1;
    tile.channels = std::min(c.panel(), c.channelsOut - panel * c.panel());
    tile.weightStride = isLast ? c.panel() : c.weightStride;
    tile.weight =
        c.packsPanels ? buffer
        : isLast ? c.lastPanel + group * c.depth() * c.panel() * c.weightBytes
                 : c.weight + (group * c.groupStride + panel * c.panelStride) *
                                  c.weightBytes;
    tile.stride = 1;
    if (c.source == RowSource::Lines)
      return runLines(tile, linesOf(block), panel * c.panel());
    int64_t first = block % c.blocksPerGroup * c.blockSize;
    tile.rows = std::min(c.blockSize, c.rowsPerGroup - first);
    int64_t row = group * c.rowsPerGroup + first;
    tile.taps = 1;
    tile.depth = c.depth();
    tile.rowStride = c.depth();
    tile.image = c.source == RowSource::Gathered
                     ? buffer
                     : c.image + row * tile.rowStride * c.imageBytes;
    call(tile, row, panel * c.panel());
  }

  void runLines(BroadloomTile tile, Lines lines, int64_t channel) {
    const WindowAxis &axis = c.lines(), &columns = c.columns();
    const char *weight = static_cast<const char *>(tile.weight);
    tile.rows = columns.result;
    tile.rowStride = columns.stride * c.channelsIn;
    tile.depth = columns.window * c.channelsIn;
    tile.weightTapStride = tile.depth * tile.weightStride;
    // Lines as they are in the image, or in the buffer from the first on.
    bool isBuffered = c.lineElements != 0;
    int64_t pitch = isBuffered ? c.lineElements : columns.image * c.channelsIn;
    int64_t firstLine = isBuffered ? axis.begin(lines.first) : 0;
    const char *base =
        isBuffered ? buffer
                   : c.image + lines.image * axis.image * pitch * c.imageBytes;
    tile.tapStride = axis.dilation * pitch;
    for (int64_t i = 0; i < lines.count; ++i) {
      int64_t line = lines.first + i;
      WindowAxis::Steps taps = axis.inside(line);
      tile.taps = taps.count;
      int64_t at = taps.count ? taps.at - firstLine : 0;
      tile.image = base + at * pitch * c.imageBytes;
      tile.weight = weight + taps.first * tile.weightTapStride * c.weightBytes;
      call(tile, rowOf(lines.image, line), channel);
    }
  }

  int64_t rowOf(int64_t image, int64_t line) const {
    return image * c.rowsPerImage + line * c.columns().result;
  }

  //===--------------------------------------------------------------------===//
  // Channel by channel
  //===--------------------------------------------------------------------===//

  void runChannels(int64_t block) {
    Lines lines = linesOf(block);
    for (int64_t i = 0; i < lines.count; ++i)
      runChannelLine(lines.image, lines.first + i);
  }

  void runChannelLine(int64_t image, int64_t line) {
    const WindowAxis &axis = c.lines(), &columns = c.columns();
    WindowAxis::Steps taps = axis.inside(line);
    BroadloomTile tile{};
    tile.channels = c.channelsOut;
    tile.rowStride = columns.stride * c.channelsIn;
    tile.taps = taps.count;
    tile.tapStride = axis.dilation * columns.image * c.channelsIn;
    tile.weightTapStride = columns.window * c.channelsIn;
    tile.stride = columns.dilation * c.channelsIn;
    tile.weightStride = c.channelsIn;
    const char *lineBase = c.image + (image * axis.image + taps.at) *
                                         columns.image * c.channelsIn *
                                         c.imageBytes;
    const char *weight =
        c.weight + taps.first * tile.weightTapStride * c.weightBytes;
    // Whole windows go together, and those that reach beyond the line one by
    // one.
    for (int64_t place = 0; place < columns.result;) {
      WindowAxis::Steps steps = columns.inside(place);
      tile.depth = steps.count;
      tile.rows = 1;
      if (steps.count == columns.window) {
        int64_t reach = (columns.window - 1) * columns.dilation;
        tile.rows =
            std::min(columns.result - place,
                     (columns.image - 1 - reach - columns.begin(place)) /
                             columns.stride +
                         1);
      }
      tile.image = lineBase + steps.at * c.channelsIn * c.imageBytes;
      tile.weight = weight + steps.first * tile.weightStride * c.weightBytes;
      call(tile, rowOf(image, line) + place, 0);
      place += tile.rows;
    }
  }

  const Contraction &c;
  char **places;
  int64_t *strides;
  char *buffer;
  /// The block, or the panel, that the buffer holds.
  int64_t prepared = -1;
};

} // namespace

void broadloom::layOutPanel(const Contraction &c, int64_t group, int64_t panel,
                            char *to) noexcept {
  int64_t depth = c.depth(), width = c.panel(), first = panel * width;
  packPanel(c.weight + (group * depth * c.channelsOut + first) * c.weightBytes,
            c.channelsOut * c.weightBytes, depth,
            std::min(width, c.channelsOut - first), width, c.weightBytes, to);
}

int64_t broadloom::contractionBytes(const Contraction &c) noexcept {
  int64_t bytes;
  if (c.packsPanels) {
    if (__builtin_mul_overflow(c.depth(), c.panel() * c.weightBytes, &bytes))
      return -1;
  } else if (__builtin_mul_overflow(c.bufferElements, c.imageBytes, &bytes)) {
    return -1;
  }
  if (bytes > INT64_MAX / 2)
    return -1;
  return ContractWorker::tableBytes(c) + roundUp(bytes, kMemoryAlignment) +
         kMemoryAlignment;
}

void broadloom::runContraction(const Contraction &c, char *memory,
                               int64_t begin, int64_t end) noexcept {
  ContractWorker(c, memory).run(begin, end);
}
