//===- ContractPlan.cpp - how rows of sums are computed -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/contractions/ContractBlocks.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/TransposedRow.h"
#include "runtime/memory/Stream.h"
#include "runtime/memory/StridedCopy.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

namespace {

/// With fewer rows than this, laying a weight out in panels takes longer than
/// reading it as it is. The number is multiplied by the ratio of a panel's
/// width to the weight's.
constexpr int64_t kRowsWorthPanels = 24;
/// The size of a part of a panel: two thirds of a first cache of 48 KB, or all
/// of one of 32 KB.
constexpr int64_t kChunkBytes = int64_t(32) << 10;
/// The steps of a sum of one row that are added at a time if the weight does
/// not fit the second cache: memory is read along as many rows of the weight at
/// once.
constexpr int64_t kRowsAtOnce = 32;
/// With at most so many channels, all of them are read step by step anyway.
constexpr int64_t kFewChannels = 16;
/// Steps of a sum between two computations of addresses, or a multiple; also of
/// the steps that are stored together, since a part begins with such.
constexpr int64_t kSteps = 4;
/// The panels of channels of a one-row tile if a weight is read as it was
/// given.
constexpr int64_t kNarrowPanels = 4;
/// With shorter lines, too many rows do not fill a tile. Products of bytes take
/// less time, beside which gathering takes more. Of a window of one element
/// with at least kLongElement channels, gathering is one copy that takes next
/// to nothing.
constexpr int64_t kShortLine = 6, kShortLineOfBytes = 4,
                  kShortLineOfElements = 12, kLongElement = 256;
/// With so many output channels, gathering takes a hundredth of the products'
/// time in one thread.
constexpr int64_t kManyChannelsOut = 256;
/// The limit of a buffer of lines; beyond it, windows are gathered.
constexpr int64_t kMostLineBytes = int64_t(4) << 20;
/// The time of a product in bytes of an element-wise operation (threadsFor):
/// for a product over channels, and for a depthwise one, which loads both
/// factors. With AVX2 a second thread pays from 8 us on, which are 400,000
/// products over channels or 130,000 of the others.
constexpr int64_t kBytesOfProduct = 1, kBytesOfOwnProduct = 3;

/// Taps are added one by one if at most this part of what windows cover is in
/// the image, with at least so many channels and rows: sums are stored and
/// loaded for each tap. With fewer channels than kManyTapChannels that takes
/// more of the time.
constexpr double kMostSeen = 0.9, kMostSeenOfFew = 0.82;
constexpr int64_t kTapChannels = 32, kManyTapChannels = 64, kTapRows = 16;

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
    if (it.isPadded() || (it.dilation != 1 && it.window != 1) ||
        (inner > axis && !isWhole))
      return -1;
  }
  const WindowAxis &it = c.window[axis];
  return c.rowsPerGroup == c.rowsPerImage || it.result == 1 ||
                 it.result * it.stride == it.image
             ? axis
             : -1;
}

/// Whether rows are read from lines of so many columns, and not gathered.
bool areLongLines(const Contraction &c, int64_t columns) {
  // Both copy the channels of a part.
  if (c.parts > 1)
    return c.joinsLines || columns >= c.record->tileRows;
  if (c.record->together > 1)
    return columns >= kShortLineOfBytes;
  if (c.windowCount == 1 && c.channelsIn >= kLongElement)
    return columns >= kShortLineOfElements;
  // The last row of each line, or with 16 registers its tiles of four and
  // three, would take as long as more rows.
  bool leavesOne = columns == c.record->tileRows + 1;
  return columns >= kShortLine &&
         !(leavesOne && c.channelsOut >= kManyChannelsOut);
}

/// Joins lines of a part, which are copied, if they are shorter than a tile and
/// that makes at most three times as many rows: gathering them takes longer.
void joinShortLines(Contraction &c) {
  c.joinsLines = c.parts > 1 && c.windowRank == 2 && c.record->together == 1 &&
                 c.columns().result < c.record->tileRows &&
                 c.lines().result > 1 && c.lines().stride <= 3;
  c.joinsLines = c.joinsLines && c.rowsToNext() <= 3 * c.columns().result;
}

/// The part of what the windows cover along an axis that is in the image.
double seenPart(const WindowAxis &axis) {
  int64_t seen = 0;
  for (int64_t step = 0; step < axis.window; ++step) {
    WindowAxis::Results results = axis.seeing(step);
    seen += results.end - results.from;
  }
  return double(seen) / (double(axis.window) * double(axis.result));
}

/// Whether taps are added one by one, of a weight in panels.
bool isByTap(const Contraction &c) {
  constexpr int64_t kManySteps = 1024;
  double most = c.channelsIn < kManyTapChannels ? kMostSeenOfFew : kMostSeen;
  return c.windowRank == 2 && c.record->packed && !c.addsAllTaps() &&
         c.channelsIn >= kTapChannels && c.rowsPerImage >= kTapRows &&
         c.windowCount > 1 && c.windowCount <= kManySteps &&
         seenPart(c.lines()) * seenPart(c.columns()) <= most;
}

/// Chooses the source of rows, and sets the distances of rows of the image.
RowSource chooseSource(Contraction &c) {
  if (c.isByChannel())
    return RowSource::Channels;
  if (c.parts == 1 && isWholeImage(c))
    return RowSource::Image;
  if (c.parts == 1 && isByTap(c))
    return RowSource::Taps;
  joinShortLines(c);
  if (c.windowRank == 2 && areLongLines(c, c.columns().result) &&
      (c.columns().window == 1 || c.columns().dilation == 1))
    return RowSource::Lines;
  int32_t axis = c.parts == 1 ? findAxisOfRows(c) : -1;
  if (axis < 0)
    return RowSource::Gathered;
  c.imageRowStride = c.channelsIn;
  for (int32_t inner = axis + 1; inner < c.windowRank; ++inner)
    c.imageRowStride *= c.window[inner].image;
  c.imageGroupStride = c.imageRowStride * c.window[axis].image;
  // The next row of a single window is that of the next image.
  const WindowAxis &rows = c.window[axis];
  c.imageRowStride =
      rows.result == 1 ? c.imageGroupStride : c.imageRowStride * rows.stride;
  return RowSource::Image;
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

/// Whether the sums of a block of lines fit the second cache, beside a weight
/// and an image.
bool keepsSums(const Contraction &c) {
  int64_t rows = multiply(c.blockSize, c.columns().result);
  return multiply(rows, c.panelWidth * c.record->sumBytes) <=
         cacheSizes().second / 4;
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
  if (c.source == RowSource::Taps) {
    c.chunk = divideEvenly(c.channelsIn, most, kSteps);
    return;
  }
  bool isWhole =
      c.source == RowSource::Channels || c.weightSource == WeightSource::Rows ||
      c.weightSource == WeightSource::Transposed || c.joinsLines ||
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

/// Plans a weight that the compiler has not laid out in panels.
void planWeight(Contraction &c) {
  bool areConsecutive = c.givenChannel == 1 || c.channelsOut == 1;
  int64_t panel = c.panelWidth;
  if (c.isByChannel() || c.record->packed)
    return;
  if (c.parts > 1) {
    c.weightSource = WeightSource::LaidOut;
    return;
  }
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
    int64_t parts = c.threads * (c.rowsPerGroup == 1 ? 1 : kItemsForThread);
    if (c.threads > 1)
      c.panelWidth = roundUp(divideUp(c.channelsOut, parts), together);
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
    c.blockSize = c.largestBlock = c.rowsPerGroup;
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
  c.bufferedParts = 1;
  if (c.isByChannel())
    planChannels(c);
  if (c.hasLines())
    planLines(c);
  if (!c.isByChannel() &&
      multiply(c.bufferElements, c.imageBytes) > kMostLineBytes)
    c.source = RowSource::Gathered;
  if (c.source != RowSource::Lines) {
    c.joinsLines = false;
    c.bufferedParts = 1;
  }
  c.copiesImage = false;
  if (c.source == RowSource::Image && copiesRows(c)) {
    c.copiesImage = !c.record->packed && isKept(c);
    if (!c.copiesImage)
      c.source = RowSource::Copied;
  }
  if (!c.hasLines())
    planRows(c);
  if (!c.isByChannel())
    c.panelWidth = c.record->panel;
  c.weightStride = c.record->panel;
  c.panelStride =
      c.panelWidth * rowsOfPanel(c.taps(), c.tapDepth(), c.record->together);
  c.groupStride = c.numPanels() * c.panelStride;
  c.weightSource = WeightSource::Panels;
  planWeight(c);
  planChunks(c);
  if (!c.isByChannel() && !c.record->packed)
    c.sharesPanels = c.threads > 1 && c.numGroups * c.blocksPerGroup <
                                          kItemsForThread * c.threads;
}
