//===- ContractBlocks.cpp - how rows are divided into blocks --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/ContractBlocks.h"

#include "runtime/Rounding.h"
#include "runtime/memory/Stream.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

namespace {

/// The approximate space of a block's rows in the second cache.
constexpr int64_t kBlockBytes = int64_t(128) << 10;
/// Rows that are about a multiple of kSameSet apart map to the same sets of the
/// first cache. Rows of buffers are then kLine farther apart.
constexpr int64_t kSameSet = 4096, kLine = 64;

/// The time of reading a weight once more, in rows of sums of it: from the last
/// cache where the second one does not hold it, and from the second one.
constexpr double kRowsOfFarWeight = 9, kRowsOfNearWeight = 2;
/// What a smaller tile for the last rows of a block takes more than its share
/// of a whole tile, as a part of that.
constexpr double kSmallTile = 0.25;
/// How long a thread that is ready waits for one that is not, in parts of an
/// item.
constexpr double kWait = 0.15;
/// About the most numbers of blocks that are compared.
constexpr int64_t kMostCounts = 32;
/// Channels of a contraction by channel that are computed at a time, or a
/// multiple: four vectors of AVX-512.
constexpr int64_t kChannelsAtOnce = 64;

/// What blocks are made of.
struct Units {
  /// Lines or rows of an image, or of all; how many times; the rows of each.
  int64_t count, times, rows;
  /// The most units of a block, and those of a tile.
  int64_t most, tile;
};

/// A division among threads and what it takes, as a part of the time that one
/// thread takes.
struct Division {
  int64_t size, blocks;
  bool sharesPanels;
  double time;
};

/// Whether the second cache does not hold the weight, beside an image.
bool isFarWeight(const Contraction &c) {
  return multiply(c.depth() * c.weightBytes, c.channelsOut) >
         cacheSizes().second / 2;
}

class Divider {
public:
  Divider(const Contraction &c, const Units &units)
      : c(c), units(units),
        panels(countPanels(c.channelsOut, c.parts,
                           c.isByChannel() ? c.panelWidth : c.record->panel)),
        isFar(isFarWeight(c)) {}

  Division divide() const {
    int64_t least = divideUp(units.count, units.most);
    Division best = {units.most, least, false, double(INT64_MAX)};
    consider(units.most, least, best);
    int64_t more = kItemsForThread * c.threads;
    int64_t step = std::max<int64_t>(1, more / kMostCounts);
    for (int64_t blocks = least; blocks <= least + more; blocks += step) {
      int64_t size = divideUp(units.count, blocks);
      consider(size, divideUp(units.count, size), best);
      if (units.tile == 1)
        continue;
      // Whole tiles: the last block has less than the others, or more.
      int64_t tiles = roundUp(size, units.tile);
      consider(tiles, divideUp(units.count, tiles), best);
      tiles = units.count / blocks / units.tile * units.tile;
      consider(std::max(tiles, units.tile), blocks, best);
    }
    return best;
  }

private:
  /// Takes this division if it is better than `best`.
  void consider(int64_t size, int64_t blocks, Division &best) const {
    int64_t last = units.count - (blocks - 1) * size;
    if (last <= 0 || std::max(size, last) > units.most)
      return;
    for (bool shares : {false, true})
      if (double time = estimate(size, last, blocks, shares);
          (!shares || panels > 1) && time < best.time)
        best = {size, blocks, shares, time};
  }

  /// What a block takes, in units.
  double timeOf(int64_t size) const {
    bool isWhole = size % units.tile == 0;
    return double(size) + (isWhole ? 0 : kSmallTile * double(units.tile));
  }

  /// Each thread has as many consecutive items; the last thread has the last
  /// blocks, or each has some.
  double estimate(int64_t size, int64_t last, int64_t blocks,
                  bool shares) const {
    int64_t parts = shares ? panels : 1;
    int64_t items = blocks * units.times * parts;
    int64_t own = divideUp(items, c.threads);
    double full = timeOf(size), end = timeOf(last);
    double time = double(own) * std::max(full, end);
    if (items % c.threads == 0 && shares && c.arePanelsFirst) {
      time = double(own) * (double(blocks - 1) * full + end) / double(blocks);
    } else if (items % c.threads == 0) {
      int64_t ends = std::min(own, parts);
      time = std::max(double(own) * full,
                      double(own - ends) * full + double(ends) * end);
    }
    time += kWait * std::max(full, end);
    // A thread that computes all blocks with a panel finds it in its second
    // cache.
    if (!c.isByChannel())
      time *= 1 + (isFar && !(shares && c.arePanelsFirst) ? kRowsOfFarWeight
                                                          : kRowsOfNearWeight) /
                      double(size * units.rows);
    return time / (double(units.count) * double(units.times * parts));
  }

  const Contraction &c;
  const Units &units;
  const int64_t panels;
  const bool isFar;
};

/// Whether a thread computes all blocks with a panel before the next one.
bool arePanelsFirst(const Contraction &c, const Units &units) {
  // By channel, lines stay with the thread whose second cache has them, if all
  // threads have as many.
  if (c.isByChannel())
    return units.count % c.threads != 0;
  // A weight that the second cache does not hold is read once; an image that it
  // holds, or lines of it, once for each panel. Rows that are gathered for each
  // block would be gathered for each panel; so would lines of one part.
  int64_t image =
      multiply(c.rowsPerGroup * c.numGroups, c.channelsIn * c.imageBytes);
  for (int32_t axis = 0; axis < c.windowRank; ++axis)
    image = multiply(image, c.window[axis].stride);
  return (c.source == RowSource::Image || c.source == RowSource::Lines ||
          c.source == RowSource::Taps) &&
         c.parts == 1 && isFarWeight(c) && image <= cacheSizes().second / 2;
}

/// Divides the rows of a contraction into blocks, for threads that share them.
Division divide(Contraction &c, const Units &units) {
  c.arePanelsFirst = arePanelsFirst(c, units);
  if (c.threads == 1)
    return {units.most, divideUp(units.count, units.most), false, 1};
  return Divider(c, units).divide();
}

/// Plans the buffer of windows by channel that reach beyond the image.
void planEdges(Contraction &c) {
  constexpr int64_t kEdgeBytes = int64_t(16) << 10;
  const WindowAxis *begin = c.window, *end = begin + c.windowRank;
  if (!c.readsBeyond() || std::none_of(begin, end, [](const WindowAxis &axis) {
        return axis.isPadded();
      }))
    return;
  const WindowAxis &columns = c.columns();
  int64_t most =
      kEdgeBytes / std::max<int64_t>(1, multiply(c.panelWidth * c.imageBytes,
                                                 c.lines().window));
  int64_t all = (columns.result - 1) * columns.stride + columns.window;
  int64_t held = columns.dilation == 1 ? std::min(all, most) : 0;
  c.lineElements = multiply(std::max(columns.window, held), c.panelWidth);
  c.bufferElements = multiply(c.lineElements, c.lines().window);
}

/// Elements of a row in a buffer.
int64_t padRow(const Contraction &c) {
  bool isSame = areInSameSets(c.depth() * c.imageBytes);
  return c.depth() + (isSame ? kLine / c.imageBytes : 0);
}

} // namespace

bool broadloom::areInSameSets(int64_t distance) noexcept {
  int64_t bytes = std::abs(distance), beyond = bytes % kSameSet;
  return bytes > kSameSet / 2 &&
         std::min(beyond, kSameSet - beyond) < kLine / 4;
}

int64_t broadloom::divideEvenly(int64_t all, int64_t most,
                                int64_t step) noexcept {
  int64_t parts =
      std::max<int64_t>(1, divideUp(all, std::max<int64_t>(1, most)));
  return std::min(all, roundUp(divideUp(all, parts), step));
}

void broadloom::planChannels(Contraction &c) noexcept {
  c.panelWidth = std::max<int64_t>(1, c.channelsOut);
  if (isPool(ContractionKind(c.record->kind)))
    return;
  int64_t most =
      kPartBytes / std::max<int64_t>(1, multiply(c.windowCount, c.weightBytes));
  most = std::max<int64_t>(1, most / kChannelsAtOnce) * kChannelsAtOnce;
  c.panelWidth =
      std::max<int64_t>(1, divideEvenly(c.channelsOut, most, kChannelsAtOnce));
}

void broadloom::planLines(Contraction &c) noexcept {
  const WindowAxis &columns = c.columns(), &lines = c.lines();
  int64_t images = c.rowsPerGroup / (columns.result * lines.result);
  c.lineElements = 0;
  c.bufferElements = 0;
  int64_t most = std::max<int64_t>(1, kLeastRows / columns.result);
  bool needsAll = c.addsAllTaps() && lines.isPadded();
  if (c.source == RowSource::Lines &&
      (needsAll || columns.isPadded() || c.parts > 1)) {
    c.lineElements = multiply(c.coveredColumns(), c.channelsIn);
    // The lines of the image are read again for each part.
    int64_t held = c.parts > 1 ? cacheSizes().second / 2 : kBlockBytes;
    int64_t bytes = multiply(c.lineElements, c.parts * c.imageBytes);
    if (c.parts > 1)
      bytes = multiply(bytes, lines.stride);
    most = std::max(most, held / std::max<int64_t>(1, bytes));
  }
  // The sums of a block stay in the second cache.
  if (c.source == RowSource::Taps)
    most = std::max<int64_t>(
        1, kBlockBytes /
               multiply(columns.result * c.record->sumBytes, c.record->panel));
  // A block is of one image.
  if (c.isByChannel() && c.threads > 1)
    most = lines.result;
  most = std::min(most, lines.result);
  Division division =
      divide(c, {lines.result, images * c.numGroups, columns.result, most, 1});
  c.blockSize = c.largestBlock = division.size;
  c.sharesPanels = division.sharesPanels;
  c.blocksPerGroup = images * division.blocks;
  if (c.isByChannel())
    planEdges(c);
  if (c.isByChannel() || c.lineElements == 0)
    return;
  int64_t held = (c.blockSize - 1) * lines.stride +
                 (lines.window - 1) * lines.dilation + 1;
  c.bufferElements = multiply(held, c.lineElements);
  int64_t bytes =
      std::max<int64_t>(1, multiply(c.bufferElements, c.imageBytes));
  c.bufferedParts = std::clamp<int64_t>(kBlockBytes / bytes, 1, c.parts);
}

void broadloom::planRows(Contraction &c) noexcept {
  int64_t tile = c.record->tileRows;
  int64_t bytes = std::max<int64_t>(1, c.depth() * c.imageBytes);
  int64_t most = std::max(kLeastRows, kBlockBytes / bytes);
  // Each block reads such a weight anew: blocks are a quarter larger where that
  // saves one of few rows.
  if (isFarWeight(c)) {
    int64_t blocks = divideUp(c.rowsPerGroup, most + most / 4);
    most =
        std::max(most, divideUp(c.rowsPerGroup, std::max<int64_t>(1, blocks)));
  }
  most = std::min(roundUp(most, tile), c.rowsPerGroup);
  Division division = divide(c, {c.rowsPerGroup, c.numGroups, 1, most, tile});
  c.blockSize = division.size;
  c.sharesPanels = division.sharesPanels;
  c.blocksPerGroup = division.blocks;
  c.largestBlock = std::max(
      c.blockSize, c.rowsPerGroup - (c.blocksPerGroup - 1) * c.blockSize);
  c.lineElements = padRow(c);
  c.bufferElements =
      c.source == RowSource::Image ? 0 : c.largestBlock * c.lineElements;
}
