//===- ContractRun.cpp - blocks of rows to the kernel ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/calls/Call.h"
#include "runtime/contractions/ContractBlocks.h"
#include "runtime/contractions/ContractWorker.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/RecordedTiles.h"
#include "runtime/contractions/TransposedRow.h"
#include "runtime/contractions/Windows.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The size of the buffer of rows, or of a panel; INT64_MAX if it overflows.
static int64_t bufferBytes(const Contraction &c) {
  bool isPanel = c.isLaidOutOnTheWay();
  int64_t elements = c.weightSource == WeightSource::PartByPart
                         ? c.chunk * c.panelWidth
                     : isPanel ? c.panelStride
                               : multiply(c.bufferElements, c.bufferedParts);
  int64_t bytes;
  return __builtin_mul_overflow(elements,
                                isPanel ? c.weightBytes : c.imageBytes, &bytes)
             ? INT64_MAX
             : bytes;
}

/// The size of the sums of a block that are kept, or 0.
static int64_t sumBytes(const Contraction &c) {
  // Kernels store whole vectors, which divide a panel. With a weight as it
  // was given there is one row.
  int64_t width = roundUp(c.panelWidth, c.record->panel);
  if (c.hasPlanes())
    return multiply(c.columns().result,
                    c.sumPitch(c.panelWidth) * c.record->sumBytes);
  bool areKept = c.chunk < c.depth() || c.source == RowSource::Taps ||
                 c.weightSource == WeightSource::Transposed || c.joinsLines;
  int64_t rows = c.hasLines() ? c.rowsOfLines(c.largestBlock) : c.largestBlock;
  return areKept ? rows * width * c.record->sumBytes : 0;
}

inline ContractMemory::ContractMemory(const Contraction &c, ArrayLayout &layout)
    : bases(layout.take<char *>(c.numTensors)),
      strides(layout.take<int64_t>(c.numTensors)),
      buffer(layout.takeBuffer(bufferBytes(c))),
      sums(layout.takeBuffer(sumBytes(c))) {}

ContractWorker::ContractWorker(const Contraction &c, ContractThread thread,
                               ArrayLayout layout, RecordedTiles *recorded)
    : ContractMemory(c, layout), c(c), thread(thread), recorded(recorded) {
  // The rows of a tile differ along the innermost axis alone.
  for (int32_t i = 0; i < c.numTensors; ++i)
    strides[i] = c.rows.rank ? c.rows.stridesOf(i)[c.rows.rank - 1] : 0;
  // Kernels compute with what is beyond the channels of a part, and drop it.
  if (c.weightSource == WeightSource::PartByPart &&
      c.channelsOut % c.panelWidth != 0)
    memset(buffer, 0, size_t(bufferBytes(c)));
}

int64_t ContractWorker::bytes(const Contraction &c) {
  if (bufferBytes(c) > INT64_MAX / 4)
    return -1;
  return roundUp(bytesOf<ContractMemory>(c), kMemoryAlignment) +
         kMemoryAlignment;
}

void ContractWorker::prepare(int64_t block, int64_t part) {
  part -= part % c.bufferedParts;
  int64_t number = block * c.parts + part;
  if (number == prepared || c.bufferElements == 0 || c.isByChannel())
    return;
  prepared = number;
  if (c.source == RowSource::Lines)
    return copyLines(c, linesOf(block), part,
                     std::min(c.bufferedParts, c.parts - part), buffer);
  auto [first, count] = rowsOf(block);
  if (c.source == RowSource::Copied)
    return copyRows(c, groupOf(block), first, count, buffer);
  gatherRows(c, groupOf(block) * c.rowsPerGroup + first, count, part, buffer);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void ContractWorker::run(int64_t begin, int64_t end) {
  int64_t panels = c.numPanels(), blocks = c.numGroups * c.blocksPerGroup;
  for (int64_t item = begin; item < end && !isCancelled(); ++item) {
    if (c.isLaidOutOnTheWay()) {
      runPacked(item / c.blocksPerGroup, item % c.blocksPerGroup);
      continue;
    }
    if (!c.sharesPanels) {
      for (int64_t panel = 0; panel < panels; ++panel) {
        prepare(item, c.partOf(panel));
        runPanel(item, panel);
      }
      continue;
    }
    int64_t block = item / panels, panel = item % panels;
    if (c.arePanelsFirst) {
      block = item % blocks;
      panel = item / blocks;
    }
    prepare(block, c.partOf(panel));
    runPanel(block, panel);
  }
}

void ContractWorker::call(BroadloomTile &tile, int64_t row, int64_t channel) {
  const int64_t rows = tile.rows;
  int64_t left = rows;
  tile.bases = reinterpret_cast<void *const *>(bases);
  tile.strides = strides;
  // The rows of one axis, or of none, are evenly spaced.
  if (c.rows.rank <= 1) {
    setBases(row, channel);
    return compute(tile);
  }
  int64_t inner = c.rows.innerExtent();
  while (left > 0) {
    tile.rows = std::min(left, inner - row % inner);
    setBases(row, channel);
    compute(tile);
    int64_t sumBytes = tile.rows * c.panelWidth * c.record->sumBytes;
    if (tile.sumsBefore)
      tile.sumsBefore = static_cast<const char *>(tile.sumsBefore) + sumBytes;
    if (tile.sumsAfter)
      tile.sumsAfter = static_cast<char *>(tile.sumsAfter) + sumBytes;
    left -= tile.rows;
    row += tile.rows;
    tile.image = static_cast<const char *>(tile.image) +
                 tile.rows * tile.rowStride * c.imageBytes;
  }
  tile.rows = rows;
}

void ContractWorker::compute(const BroadloomTile &tile) {
  // An item may have any number of tiles.
  if (isCancelled())
    return;
  if (recorded)
    recorded->add(c, tile);
  c.record->kernel(&tile);
}

void ContractWorker::setBases(int64_t row, int64_t channel) {
  for (int32_t i = 0; i < c.numTensors; ++i)
    bases[i] =
        c.data[i] +
        (offsetOf(i, row) + (c.hasChannels[i] ? channel : 0)) * c.bytes[i];
}

int64_t ContractWorker::offsetOf(int32_t tensor, int64_t row) const {
  const int64_t *own = c.rows.stridesOf(tensor);
  int64_t offset = 0;
  for (int32_t axis = c.rows.rank - 1; axis > 0; --axis) {
    offset += row % c.rows.extents[axis] * own[axis];
    row /= c.rows.extents[axis];
  }
  return c.rows.rank ? offset + row * own[0] : 0;
}

void ContractWorker::runPacked(int64_t number, int64_t block) {
  int64_t group = number / c.numPanels(), panel = number % c.numPanels();
  if (number != prepared && c.weightSource == WeightSource::PanelByPanel)
    layOutPanel(c, group, panel, buffer);
  prepared = number;
  runPanel(group * c.blocksPerGroup + block, panel);
}

void ContractWorker::runPanel(int64_t block, int64_t panel) {
  if (c.source == RowSource::Channels)
    return runChannels(block, panel * c.panelWidth);
  BroadloomTile tile{};
  int64_t group = groupOf(block);
  auto [channel, channels] =
      channelsOfPanel(c.channelsOut, c.parts, c.panelWidth, panel);
  tile.channels = channels;
  tile.weightStride = c.weightStride;
  tile.weight =
      c.isLaidOutOnTheWay()
          ? buffer
          : c.weight +
                (group * c.groupStride + panel * c.panelStride) * c.weightBytes;
  if (c.together() > 1)
    tile.weight = static_cast<const char *>(tile.weight) +
                  c.together() * c.panelWidth * c.weightBytes;
  tile.weightAhead = tile.weight;
  if (c.source == RowSource::Lines) {
    tile.image = buffer + c.partOf(panel) % c.bufferedParts * c.bufferElements *
                              c.imageBytes;
    return runLines(tile, linesOf(block), channel);
  }
  if (c.source == RowSource::Taps)
    return runTaps(tile, linesOf(block), channel);
  auto [first, count] = rowsOf(block);
  tile.rows = count;
  tile.taps = 1;
  if (c.weightSource == WeightSource::Transposed)
    return runTransposed(tile, group, channel);
  bool isImage = c.source == RowSource::Image;
  tile.rowStride = isImage ? c.imageRowStride : c.lineElements;
  tile.image = isImage ? c.rowOfImage(group, first) : buffer;
  runChunks(tile, group * c.rowsPerGroup + first, channel);
}

void ContractWorker::runTransposed(BroadloomTile &tile, int64_t group,
                                   int64_t channel) {
  auto *weight = reinterpret_cast<const float *>(c.weight);
  sumTransposed(reinterpret_cast<const float *>(c.rowOfImage(group, 0)),
                weight + group * c.givenGroup, c.givenChannel, c.depth(),
                c.channelsOut, channel, channel + tile.channels,
                reinterpret_cast<float *>(sums));
  tile.sumsBefore = sums;
  call(tile, group, channel);
}

const void *ContractWorker::findAhead(const BroadloomTile &tile, int64_t end,
                                      int64_t channel) const {
  bool isLast = channel + tile.channels == c.channelsOut;
  bool isLaidOut = end < c.depth() ? c.weightSource != WeightSource::PartByPart
                                   : !isLast && !c.isLaidOutOnTheWay();
  // A tile of several taps would prefetch the same steps for each of them.
  if (!isLaidOut || tile.taps > 1)
    return tile.weight;
  return static_cast<const char *>(tile.weight) +
         tile.depth * tile.weightStride * c.weightBytes;
}

void ContractWorker::shareAhead(BroadloomTile &tile, int64_t tiles) const {
  tile.stride = 63 - __builtin_clzll(uint64_t(std::max<int64_t>(1, tiles)));
}

BroadloomTile ContractWorker::passAhead(const BroadloomTile &part,
                                        int64_t tiles) const {
  BroadloomTile tile = part;
  int64_t share = (part.depth * part.weightStride) >> part.stride;
  // As the kernel counts its own tiles.
  tiles &= (int64_t(1) << part.stride) - 1;
  if (part.weightAhead != part.weight)
    tile.weightAhead = static_cast<const char *>(part.weightAhead) +
                       tiles * share * c.weightBytes;
  return tile;
}

void ContractWorker::runChunks(BroadloomTile &tile, int64_t row,
                               int64_t channel) {
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
  shareAhead(tile, tilesOf(tile.rows));
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

int64_t broadloom::contractionBytes(const Contraction &c) noexcept {
  return ContractWorker::bytes(c);
}

void broadloom::runContraction(const Contraction &c, ContractThread thread,
                               char *memory, int64_t begin, int64_t end,
                               RecordedTiles *record) noexcept {
  ContractWorker(c, thread, ArrayLayout(memory), record).run(begin, end);
}
