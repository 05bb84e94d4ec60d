//===- ContractRun.cpp - blocks of rows to the kernel ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/Contraction.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/TransposedRow.h"
#include "runtime/contractions/Windows.h"
#include "runtime/memory/BufferLayout.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

namespace {

class ContractWorker {
public:
  ContractWorker(const Contraction &c, char *memory)
      : c(c), bases(reinterpret_cast<char **>(memory)),
        strides(reinterpret_cast<int64_t *>(bases + c.numTensors)),
        buffer(memory + tableBytes(c)),
        sums(buffer + roundUp(bufferBytes(c), kMemoryAlignment)) {
    // The rows of a tile differ along the innermost axis alone.
    for (int32_t i = 0; i < c.numTensors; ++i)
      strides[i] = c.rows.rank ? c.rows.stridesOf(i)[c.rows.rank - 1] : 0;
    // Kernels compute with what is beyond the channels of a part, and drop it.
    if (c.weightSource == WeightSource::PartByPart &&
        c.channelsOut % c.panelWidth != 0)
      memset(buffer, 0, size_t(bufferBytes(c)));
  }

  static int64_t tableBytes(const Contraction &c) {
    return roundUp(16 * int64_t(c.numTensors), kMemoryAlignment);
  }

  /// The size of the buffer of rows, or of a panel; INT64_MAX if it overflows.
  static int64_t bufferBytes(const Contraction &c) {
    bool isPanel = c.isLaidOutOnTheWay();
    int64_t elements = c.weightSource == WeightSource::PartByPart
                           ? c.chunk * c.panelWidth
                       : isPanel ? c.panelStride
                                 : c.bufferElements;
    int64_t bytes;
    return __builtin_mul_overflow(
               elements, isPanel ? c.weightBytes : c.imageBytes, &bytes)
               ? INT64_MAX
               : bytes;
  }

  /// Sums have 32 bits.
  static int64_t sumBytes(const Contraction &c) {
    // Kernels store whole vectors, which divide a panel. With a weight as it
    // was given there is one row.
    int64_t width = roundUp(c.panelWidth, c.record->panel);
    bool areKept =
        c.chunk < c.depth() || c.weightSource == WeightSource::Transposed;
    return areKept ? c.blockSize * width * 4 : 0;
  }

  void run(int64_t begin, int64_t end) {
    int64_t panels = c.numPanels();
    for (int64_t item = begin; item < end; ++item) {
      if (c.isLaidOutOnTheWay()) {
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

  ImageLines linesOf(int64_t block) const {
    int64_t height = c.lines().result;
    int64_t perImage = (height + c.blockSize - 1) / c.blockSize;
    int64_t first = block % perImage * c.blockSize;
    return {block / perImage, first, std::min(c.blockSize, height - first)};
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  void prepare(int64_t block) {
    if (block == prepared || c.bufferElements == 0)
      return;
    prepared = block;
    if (c.source == RowSource::Lines)
      return copyLines(c, linesOf(block), buffer);
    int64_t first = block % c.blocksPerGroup * c.blockSize;
    int64_t count = std::min(c.blockSize, c.rowsPerGroup - first);
    if (c.source == RowSource::Copied)
      return copyRows(c, groupOf(block), first, count, buffer);
    gatherRows(c, groupOf(block) * c.rowsPerGroup + first, count, buffer);
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  /// Calls the kernel for the rows from `row` and the channels from `channel`
  /// on, with as many rows at a time as are evenly spaced in all tensors.
  void call(BroadloomTile tile, int64_t row, int64_t channel) {
    int64_t inner = c.rows.innerExtent();
    int64_t left = tile.rows;
    tile.bases = reinterpret_cast<void *const *>(bases);
    tile.strides = strides;
    while (left > 0) {
      int64_t within = c.rows.rank ? row % inner : 0;
      tile.rows = c.rows.rank ? std::min(left, inner - within) : left;
      for (int32_t i = 0; i < c.numTensors; ++i)
        bases[i] =
            c.data[i] +
            (offsetOf(i, row) + (c.hasChannels[i] ? channel : 0)) * c.bytes[i];
      c.record->kernel(&tile);
      int64_t sumBytes = tile.rows * c.panelWidth * 4;
      if (tile.sumsBefore)
        tile.sumsBefore = static_cast<const char *>(tile.sumsBefore) + sumBytes;
      if (tile.sumsAfter)
        tile.sumsAfter = static_cast<char *>(tile.sumsAfter) + sumBytes;
      left -= tile.rows;
      row += tile.rows;
      tile.image = static_cast<const char *>(tile.image) +
                   tile.rows * tile.rowStride * c.imageBytes;
    }
  }

  int64_t offsetOf(int32_t tensor, int64_t row) const {
    const int64_t *own = c.rows.stridesOf(tensor);
    int64_t offset = 0;
    for (int32_t axis = c.rows.rank - 1; axis > 0; --axis) {
      offset += row % c.rows.extents[axis] * own[axis];
      row /= c.rows.extents[axis];
    }
    return c.rows.rank ? offset + row * own[0] : 0;
  }

  /// Computes a block with panel `number`, counted over all groups. The buffer
  /// already holds the panel if the previous block used it.
  void runPacked(int64_t number, int64_t block) {
    int64_t group = number / c.numPanels(), panel = number % c.numPanels();
    if (number != prepared && c.weightSource == WeightSource::PanelByPanel)
      layOutPanel(c, group, panel, buffer);
    prepared = number;
    runPanel(group * c.blocksPerGroup + block, panel);
  }

  void runPanel(int64_t block, int64_t panel) {
    BroadloomTile tile{};
    int64_t group = groupOf(block), channel = panel * c.panelWidth;
    tile.channels = std::min(c.panelWidth, c.channelsOut - channel);
    tile.weightStride = c.weightStride;
    tile.weight =
        c.isLaidOutOnTheWay()
            ? buffer
            : c.weight + (group * c.groupStride + panel * c.panelStride) *
                             c.weightBytes;
    if (c.together() > 1)
      tile.weight = static_cast<const char *>(tile.weight) +
                    c.together() * c.panelWidth * c.weightBytes;
    tile.weightAhead = tile.weight;
    tile.stride = 1;
    if (c.source == RowSource::Lines)
      return runLines(tile, linesOf(block), channel);
    int64_t first = block % c.blocksPerGroup * c.blockSize;
    tile.rows = std::min(c.blockSize, c.rowsPerGroup - first);
    tile.taps = 1;
    if (c.weightSource == WeightSource::Transposed)
      return runTransposed(tile, group, channel);
    bool isImage = c.source == RowSource::Image;
    tile.rowStride = isImage ? c.imageRowStride : c.lineElements;
    tile.image = isImage ? c.rowOfImage(group, first) : buffer;
    runChunks(tile, group * c.rowsPerGroup + first, channel);
  }

  /// Computes the sums of a panel of a single row, which the kernel then has
  /// nothing to add to.
  void runTransposed(BroadloomTile tile, int64_t group, int64_t channel) {
    auto *weight = reinterpret_cast<const float *>(c.weight);
    sumTransposed(reinterpret_cast<const float *>(c.rowOfImage(group, 0)),
                  weight + group * c.givenGroup, c.givenChannel, c.depth(),
                  c.channelsOut, channel, channel + tile.channels,
                  reinterpret_cast<float *>(sums));
    tile.sumsBefore = sums;
    call(tile, group, channel);
  }

  /// The steps of a panel that are read after those of the tile, which end at
  /// `end`. What is laid out only later is not prefetched, because another
  /// thread may write to that memory.
  const void *findAhead(const BroadloomTile &tile, int64_t end,
                        int64_t channel) const {
    bool isLast = channel + tile.channels == c.channelsOut;
    bool isLaidOut = end < c.depth()
                         ? c.weightSource != WeightSource::PartByPart
                         : !isLast && !c.isLaidOutOnTheWay();
    if (c.chunk == c.depth() || !isLaidOut)
      return tile.weight;
    return static_cast<const char *>(tile.weight) +
           tile.depth * tile.weightStride * c.weightBytes;
  }

  /// Computes sums, a chunk of steps at a time, which may be a part of a panel
  /// that is laid out for it.
  void runChunks(BroadloomTile tile, int64_t row, int64_t channel) {
    if (c.hasTaps()) {
      tile.taps = c.taps();
      tile.depth = tile.tapStride = c.tapDepth();
      tile.weightTapStride =
          stepsOfTap(tile.depth, c.together()) * tile.weightStride;
      return call(tile, row, channel);
    }
    const char *image = static_cast<const char *>(tile.image);
    const char *weight = static_cast<const char *>(tile.weight);
    int64_t depth = c.depth(), at = 0;
    do {
      tile.depth = std::min(c.chunk, depth - at);
      tile.image = image + at * c.imageBytes;
      if (c.weightSource == WeightSource::PartByPart)
        layOutSteps(c, row / c.rowsPerGroup, channel / c.panelWidth, at,
                    tile.depth, buffer);
      else
        tile.weight = weight + at * tile.weightStride * c.weightBytes;
      tile.sumsBefore = at ? sums : nullptr;
      at += tile.depth;
      tile.weightAhead = findAhead(tile, at, channel);
      tile.sumsAfter = at < depth ? sums : nullptr;
      call(tile, row, channel);
    } while (at < depth);
  }

  void runLines(BroadloomTile tile, ImageLines lines, int64_t channel) {
    const WindowAxis &axis = c.lines(), &columns = c.columns();
    const char *weight = static_cast<const char *>(tile.weight);
    tile.rows = columns.result;
    tile.rowStride = columns.stride * c.channelsIn;
    tile.depth = columns.window * c.channelsIn;
    tile.weightTapStride =
        stepsOfTap(tile.depth, c.together()) * tile.weightStride;
    // Lines are read from the image, or from the buffer, which begins with the
    // first line.
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
      if (c.together() > 1)
        taps = {0, axis.window, axis.begin(line)};
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
    ImageLines lines = linesOf(block);
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
    // Windows inside the line are computed together, and those that reach
    // beyond it one by one.
    for (int64_t column = 0; column < columns.result;) {
      WindowAxis::Steps steps = columns.inside(column);
      tile.depth = steps.count;
      tile.rows = 1;
      if (steps.count == columns.window) {
        int64_t reach = (columns.window - 1) * columns.dilation;
        tile.rows =
            std::min(columns.result - column,
                     (columns.image - 1 - reach - columns.begin(column)) /
                             columns.stride +
                         1);
      }
      tile.image = lineBase + steps.at * c.channelsIn * c.imageBytes;
      tile.weight = weight + steps.first * tile.weightStride * c.weightBytes;
      call(tile, rowOf(image, line) + column, 0);
      column += tile.rows;
    }
  }

  const Contraction &c;
  char **bases;
  int64_t *strides;
  char *buffer;
  char *sums;
  /// The number of the block, or panel, in the buffer.
  int64_t prepared = -1;
};

} // namespace

int64_t broadloom::contractionBytes(const Contraction &c) noexcept {
  int64_t bytes = ContractWorker::bufferBytes(c);
  if (bytes > INT64_MAX / 4)
    return -1;
  return ContractWorker::tableBytes(c) + roundUp(bytes, kMemoryAlignment) +
         roundUp(ContractWorker::sumBytes(c), kMemoryAlignment) +
         kMemoryAlignment;
}

void broadloom::runContraction(const Contraction &c, char *memory,
                               int64_t begin, int64_t end) noexcept {
  ContractWorker(c, memory).run(begin, end);
}
