//===- ContractPlan.cpp - how rows of sums are computed -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/Contraction.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/TransposedRow.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Stream.h"
#include "runtime/memory/StridedCopy.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

namespace {

/// The approximate space of a block's rows in the second cache, and the least
/// number of rows of a block: each block reads the whole weight.
constexpr int64_t kBlockBytes = int64_t(128) << 10;
constexpr int64_t kLeastRows = 96;
/// With fewer rows than this, laying a weight out in panels takes longer than
/// reading it as it is. The number is multiplied by the ratio of a panel's
/// width to the weight's.
constexpr int64_t kRowsWorthPanels = 24;
/// The size of a part of a panel: two thirds of a first cache of 48 KB, or all
/// of one of 32 KB.
constexpr int64_t kChunkBytes = int64_t(32) << 10;
/// The size of a part that is laid out and read while it is in the first cache,
/// beside the lines that it is read from.
constexpr int64_t kPartBytes = int64_t(16) << 10;
/// The steps of a sum of one row that are added at a time if the weight does
/// not fit the second cache: memory is read along as many rows of the weight at
/// once.
constexpr int64_t kRowsAtOnce = 32;
/// With at most so many channels, all of them are read step by step anyway.
constexpr int64_t kFewChannels = 16;
/// Channels of a contraction by channel that are computed at a time, or a
/// multiple: four vectors of AVX-512.
constexpr int64_t kChannelsAtOnce = 64;
/// Steps of a sum between two computations of addresses, or a multiple; also of
/// the steps that are stored together, since a part begins with such.
constexpr int64_t kSteps = 4;
/// Rows that are about a multiple of kSameSet apart map to the same sets of the
/// first cache. Rows of buffers are then kLine farther apart.
constexpr int64_t kSameSet = 4096, kLine = 64;
/// The panels of channels of a one-row tile if a weight is read as it was
/// given.
constexpr int64_t kNarrowPanels = 4;
/// With shorter lines, too many rows do not fill a tile. Products of bytes take
/// less time, beside which gathering takes more. Of a window of one element
/// with at least kLongElement channels, gathering is one copy that takes next
/// to nothing.
constexpr int64_t kShortLine = 6, kShortLineOfBytes = 4,
                  kShortLineOfElements = 12, kLongElement = 256;
/// Blocks per thread, so that threads end at about the same time.
constexpr int64_t kBlocksForThread = 3;
/// The limit of a buffer of lines; beyond it, windows are gathered.
constexpr int64_t kMostLineBytes = int64_t(4) << 20;
/// The time of a product in bytes of an element-wise operation (threadsFor):
/// for a product over channels, and for a depthwise one, which loads both
/// factors. With AVX2 a second thread pays from 8 us on, which are 400,000
/// products over channels or 130,000 of the others.
constexpr int64_t kBytesOfProduct = 1, kBytesOfOwnProduct = 3;

/// The saturating product of numbers that are not negative.
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

/// The axis along which the steps of a window are consecutive, since it has all
/// elements of the axes behind it, while axes before it have one: then rows are
/// evenly spaced in the image. -1 if there is none.
int32_t findAxisOfRows(const Contraction &c) {
  int32_t axis = 0;
  auto hasOne = [](const WindowAxis &it) {
    return it.image == 1 && it.window == 1 && it.result == 1 &&
           it.padBefore == 0;
  };
  while (axis < c.windowRank - 1 && hasOne(c.window[axis]))
    ++axis;
  for (int32_t inner = axis; inner < c.windowRank; ++inner) {
    const WindowAxis &it = c.window[inner];
    bool isWhole = it.result == 1 && it.window == it.image;
    if (it.padBefore != 0 || (it.dilation != 1 && it.window != 1) ||
        it.begin(it.result - 1) + it.window > it.image ||
        (inner > axis && !isWhole))
      return -1;
  }
  const WindowAxis &it = c.window[axis];
  return c.rowsPerGroup == c.rowsPerImage || it.result * it.stride == it.image
             ? axis
             : -1;
}

/// The number of columns from which on rows are read from lines.
int64_t leastColumns(const Contraction &c) {
  if (c.record->together > 1)
    return kShortLineOfBytes;
  return c.windowCount == 1 && c.channelsIn >= kLongElement
             ? kShortLineOfElements
             : kShortLine;
}

/// Chooses the source of rows, and sets the distances of rows of the image.
RowSource chooseSource(Contraction &c) {
  if (c.isByChannel())
    return RowSource::Channels;
  if (isWholeImage(c))
    return RowSource::Image;
  if (c.windowRank == 2 && c.columns().result >= leastColumns(c) &&
      (c.columns().window == 1 || c.columns().dilation == 1))
    return RowSource::Lines;
  int32_t axis = findAxisOfRows(c);
  if (axis < 0)
    return RowSource::Gathered;
  c.imageRowStride = c.channelsIn;
  for (int32_t inner = axis + 1; inner < c.windowRank; ++inner)
    c.imageRowStride *= c.window[inner].image;
  c.imageGroupStride = c.imageRowStride * c.window[axis].image;
  c.imageRowStride *= c.window[axis].stride;
  return RowSource::Image;
}

/// Whether some window along the axis reaches beyond the image.
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
  c.blockSize = std::max<int64_t>(1, kLeastRows / columns.result);
  // The initial values of sums are for all taps (packBytes).
  bool needsAll = c.record->together > 1 && isPadded(lines);
  if (c.source == RowSource::Lines && (needsAll || isPadded(columns))) {
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

/// Whether rows that are so many bytes apart map to the same sets, or nearly.
bool areInSameSets(int64_t distance) {
  int64_t bytes = std::abs(distance), beyond = bytes % kSameSet;
  return bytes > kSameSet / 2 &&
         std::min(beyond, kSameSet - beyond) < kLine / 4;
}

/// Elements of a row in a buffer.
int64_t padRow(const Contraction &c) {
  bool isSame = areInSameSets(c.depth() * c.imageBytes);
  return c.depth() + (isSame ? kLine / c.imageBytes : 0);
}

/// Whether the rows of the image are copied, because they are not consecutive
/// or those of a tile map to few sets of the first cache: with enough channels
/// the copy takes less than a tenth of the time of the products.
bool copiesRows(const Contraction &c) {
  constexpr int64_t kManyChannels = 64;
  if (c.imageStep != 1)
    return true;
  return areInSameSets(c.imageRowStride * c.imageBytes) &&
         c.channelsOut >= kManyChannels && c.rowsPerGroup >= kLeastRows;
}

/// Whether the rows of a group fit the second cache.
bool isKept(const Contraction &c) {
  int64_t bytes = multiply(c.rowsPerGroup, c.depth() * c.imageBytes);
  return bytes <= cacheSizes().second / 2;
}

/// The length of parts of about equal length: at most `most`, rounded up to a
/// multiple of `step`, or all of it.
int64_t divideEvenly(int64_t all, int64_t most, int64_t step) {
  int64_t parts =
      std::max<int64_t>(1, divideUp(all, std::max<int64_t>(1, most)));
  return std::min(all, divideUp(divideUp(all, parts), step) * step);
}

/// Whether the sums of a block of lines fit the second cache, beside a weight
/// and an image.
bool keepsSums(const Contraction &c) {
  int64_t rows = multiply(c.blockSize, c.columns().result);
  return multiply(rows, c.panelWidth * 4) <= cacheSizes().second / 4;
}

/// Plans how many steps of a sum are added at a time.
void planChunks(Contraction &c) {
  int64_t depth = c.depth();
  bool isPart = c.weightSource == WeightSource::PartByPart;
  int64_t most = std::max<int64_t>(
      1, (isPart ? kPartBytes : kChunkBytes) /
             std::max<int64_t>(1, c.panelWidth * c.weightBytes));
  if (c.weightSource == WeightSource::Rows && c.rowsPerGroup == 1 &&
      c.channelsOut > kFewChannels &&
      multiply(depth * c.weightBytes, c.channelsOut) / c.threads >
          cacheSizes().second) {
    c.chunk = kRowsAtOnce;
    return;
  }
  bool isLines = c.source == RowSource::Lines;
  bool isWhole =
      c.source == RowSource::Channels || c.weightSource == WeightSource::Rows ||
      c.weightSource == WeightSource::Transposed ||
      (isLines ? !keepsSums(c) : c.hasTaps()) || depth < most * 3 / 2;
  if (isWhole)
    c.chunk = depth;
  else if (!isLines)
    c.chunk = divideEvenly(depth, most, kSteps);
  else if (c.tapDepth() > most)
    c.chunk = divideEvenly(c.tapDepth(), most, kSteps);
  else
    c.chunk = divideEvenly(c.taps(), most / c.tapDepth(), 1) * c.tapDepth();
}

void planRows(Contraction &c) {
  int64_t tile = c.record->tileRows;
  int64_t bytes = std::max<int64_t>(1, c.depth() * c.imageBytes);
  int64_t size = std::max(kLeastRows, kBlockBytes / bytes);
  if (c.threads > 1)
    size = std::min(size, divideUp(c.rowsPerGroup * c.numGroups,
                                   kBlocksForThread * c.threads));
  // Makes the number of blocks a multiple of the number of threads.
  if (c.threads > 1 && size > 0) {
    int64_t blocks = divideUp(c.rowsPerGroup, size);
    blocks = divideUp(blocks, c.threads) * c.threads;
    size = divideUp(c.rowsPerGroup, blocks);
  }
  size = divideUp(std::max<int64_t>(size, 1), tile) * tile;
  c.blockSize = std::min(size, c.rowsPerGroup);
  c.blocksPerGroup = divideUp(c.rowsPerGroup, c.blockSize);
  c.lineElements = padRow(c);
  c.bufferElements =
      c.source == RowSource::Image ? 0 : c.blockSize * c.lineElements;
}

/// Plans a weight that the compiler has not laid out in panels.
void planWeight(Contraction &c) {
  bool areConsecutive = c.givenChannel == 1 || c.channelsOut == 1;
  int64_t panel = c.panelWidth;
  if (c.isByChannel() || c.record->packed)
    return;
  // The weight already has the layout of a panel.
  if (areConsecutive && c.record->together == 1 && c.channelsOut == panel &&
      c.givenStep == panel) {
    c.groupStride = c.givenGroup;
    return;
  }
  int64_t rows =
      std::max(kRowsWorthPanels, kRowsWorthPanels * panel / c.channelsOut);
  if (areConsecutive && c.rowsPerGroup < rows && c.givenStep != panel) {
    c.weightSource = WeightSource::Rows;
    c.panelWidth = c.channelsOut;
    int64_t together = kNarrowPanels * panel;
    // For a single row, all time is spent reading the weight, and memory is
    // read faster along longer rows of it.
    int64_t parts = c.threads * (c.rowsPerGroup == 1 ? 1 : kBlocksForThread);
    if (c.threads > 1)
      c.panelWidth =
          divideUp(divideUp(c.channelsOut, parts), together) * together;
    c.weightStride = c.givenStep;
    c.panelStride = c.panelWidth;
    c.groupStride = c.givenGroup;
    return;
  }
  if (c.record->fusesFloats && c.rowsPerGroup == 1 && c.givenStep == 1 &&
      !areConsecutive && c.channelsOut >= kLeastTransposed &&
      c.source == RowSource::Image && canSumTransposed()) {
    c.weightSource = WeightSource::Transposed;
    return;
  }
  // So few rows take less time than laying out: their threads share panels
  // alone.
  if (!areConsecutive && c.rowsPerGroup < rows &&
      c.source == RowSource::Image) {
    c.blockSize = c.rowsPerGroup;
    c.blocksPerGroup = 1;
  }
  // All blocks of a group are computed with a panel while both are in the
  // cache. A single block reads a panel once.
  c.weightSource = WeightSource::LaidOut;
  if (c.source == RowSource::Image && isKept(c))
    c.weightSource = c.blocksPerGroup == 1 && c.record->together == 1
                         ? WeightSource::PartByPart
                         : WeightSource::PanelByPanel;
}

/// Plans how many channels of a contraction by channel are computed at a time:
/// all of them if the first cache holds their weights beside the image. The
/// memory of the image is read fastest along all channels.
void planChannels(Contraction &c) {
  c.panelWidth = std::max<int64_t>(1, c.channelsOut);
  if (isPool(ContractionKind(c.record->kind)))
    return;
  int64_t most =
      kPartBytes / std::max<int64_t>(1, multiply(c.windowCount, c.weightBytes));
  most = std::max<int64_t>(1, most / kChannelsAtOnce) * kChannelsAtOnce;
  c.panelWidth =
      std::max<int64_t>(1, divideEvenly(c.channelsOut, most, kChannelsAtOnce));
}

} // namespace

void broadloom::planContraction(Contraction &c, int32_t threads) noexcept {
  c.source = chooseSource(c);
  int64_t products = c.rowsPerGroup * c.numGroups * c.depth();
  if (!c.isByChannel() &&
      __builtin_mul_overflow(products, c.channelsOut, &products))
    products = INT64_MAX;
  c.threads = threadsFor(threads,
                         multiply(products, c.isByChannel() ? kBytesOfOwnProduct
                                                            : kBytesOfProduct));
  if (c.source == RowSource::Lines || c.source == RowSource::Channels)
    planLines(c);
  if (multiply(c.bufferElements, c.imageBytes) > kMostLineBytes)
    c.source = RowSource::Gathered;
  c.copiesImage = false;
  if (c.source == RowSource::Image && copiesRows(c)) {
    c.copiesImage = !c.record->packed && isKept(c);
    if (!c.copiesImage)
      c.source = RowSource::Copied;
  }
  if (c.source != RowSource::Lines && c.source != RowSource::Channels)
    planRows(c);
  c.panelWidth = c.weightStride = c.record->panel;
  c.panelStride =
      c.panelWidth * rowsOfPanel(c.taps(), c.tapDepth(), c.record->together);
  c.groupStride = c.numPanels() * c.panelStride;
  c.weightSource = WeightSource::Panels;
  planWeight(c);
  if (c.source == RowSource::Channels)
    planChannels(c);
  planChunks(c);
  c.sharesPanels =
      !c.isByChannel() && c.threads > 1 &&
      c.numGroups * c.blocksPerGroup < kBlocksForThread * c.threads;
}
