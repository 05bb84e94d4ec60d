//===- ContractPlan.cpp - how rows of sums are computed -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/Contraction.h"
#include "runtime/memory/StridedCopy.h"

#include <algorithm>

using namespace broadloom;

namespace {

/// What the rows of a block take of the second cache, about, and the fewest
/// tiles of a block: for each block all of the weight is read.
constexpr int64_t kBlockBytes = int64_t(128) << 10;
constexpr int64_t kLeastTiles = 8;
/// Shorter lines leave too many rows that do not fill a tile.
constexpr int64_t kShortLine = 16;
/// Blocks for each thread, so that they end at about the same time.
constexpr int64_t kBlocksForThread = 3;
/// What a buffer of lines may take; beyond it, windows are gathered.
constexpr int64_t kMostLineBytes = int64_t(4) << 20;
/// Products over channels that take as long as a byte does in an element-wise
/// operation. Channel by channel one product takes as long, since both of its
/// factors are loaded for it alone.
constexpr int64_t kProductsPerByte = 2;

int64_t divideUp(int64_t x, int64_t y) { return (x + y - 1) / y; }

/// Of numbers that are not negative, at most the largest one.
int64_t multiply(int64_t x, int64_t y) {
  int64_t product;
  return __builtin_mul_overflow(x, y, &product) ? INT64_MAX : product;
}

bool isWholeImage(const Contraction &c) {
  for (int32_t axis = 0; axis < c.windowRank; ++axis) {
    const WindowAxis &it = c.window[axis];
    if (it.window != 1 || it.stride != 1 || it.image != it.result ||
        it.padBefore != 0)
      return false;
  }
  return true;
}

RowSource chooseSource(const Contraction &c) {
  if (c.record->depthwise)
    return RowSource::Channels;
  if (isWholeImage(c))
    return RowSource::Image;
  if (c.windowRank > 2 || c.columns().result < kShortLine ||
      (c.columns().window > 1 && c.columns().dilation > 1))
    return RowSource::Gathered;
  return RowSource::Lines;
}

/// Whether some window of a line reaches beyond it.
bool isPadded(const WindowAxis &columns) {
  return columns.padBefore != 0 ||
         columns.begin(columns.result - 1) +
                 (columns.window - 1) * columns.dilation >=
             columns.image;
}

void planLines(Contraction &c) {
  const WindowAxis &columns = c.columns(), &lines = c.lines();
  int64_t numLines = c.rowsPerGroup / columns.result;
  c.lineElements = 0;
  c.bufferElements = 0;
  c.blockSize =
      std::max<int64_t>(1, kLeastTiles * c.record->tileRows / columns.result);
  if (c.source == RowSource::Lines && isPadded(columns)) {
    c.lineElements = multiply(
        (columns.result - 1) * columns.stride + columns.window, c.channelsIn);
    int64_t bytes =
        std::max<int64_t>(1, multiply(c.lineElements, c.imageBytes));
    c.blockSize = std::max(c.blockSize, kBlockBytes / bytes);
  }
  if (c.threads > 1)
    c.blockSize =
        std::min(c.blockSize, divideUp(numLines, kBlocksForThread * c.threads));
  // A block is of one image.
  c.blockSize = std::max<int64_t>(1, std::min(c.blockSize, lines.result));
  c.blocksPerGroup =
      numLines / lines.result * divideUp(lines.result, c.blockSize);
  if (c.lineElements == 0)
    return;
  int64_t held = (c.blockSize - 1) * lines.stride +
                 (lines.window - 1) * lines.dilation + 1;
  c.bufferElements = multiply(held, c.lineElements);
}

void planRows(Contraction &c) {
  int64_t tile = c.record->tileRows;
  int64_t bytes = std::max<int64_t>(1, c.depth() * c.imageBytes);
  int64_t size = std::max(kLeastTiles * tile, kBlockBytes / bytes);
  if (c.threads > 1)
    size = std::min(size, divideUp(c.rowsPerGroup * c.numGroups,
                                   kBlocksForThread * c.threads));
  size = divideUp(std::max<int64_t>(size, 1), tile) * tile;
  c.blockSize = std::min(size, c.rowsPerGroup);
  c.blocksPerGroup = divideUp(c.rowsPerGroup, c.blockSize);
  c.lineElements = c.depth();
  c.bufferElements =
      c.source == RowSource::Gathered ? c.blockSize * c.lineElements : 0;
}

} // namespace

void broadloom::planContraction(Contraction &c, int32_t threads) noexcept {
  c.source = chooseSource(c);
  int64_t products = c.rowsPerGroup * c.numGroups * c.depth();
  if (!c.record->depthwise &&
      __builtin_mul_overflow(products, c.channelsOut, &products))
    products = INT64_MAX;
  c.threads = threadsFor(
      threads, c.record->depthwise ? products : products / kProductsPerByte);
  if (c.source == RowSource::Lines || c.source == RowSource::Channels)
    planLines(c);
  if (multiply(c.bufferElements, c.imageBytes) > kMostLineBytes)
    c.source = RowSource::Gathered;
  if (c.source == RowSource::Image || c.source == RowSource::Gathered)
    planRows(c);
  c.sharesPanels =
      !c.record->depthwise && c.threads > 1 &&
      c.numGroups * c.blocksPerGroup < kBlocksForThread * c.threads;
}
