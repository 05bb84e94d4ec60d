//===- ReductionPlan.cpp - how stages are run over rows -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/Stream.h"
#include "runtime/memory/StridedCopy.h"
#include "runtime/reductions/ReductionRun.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
/// Rows shorter than this are computed many at a time, each in its own lane, so
/// that they share the cost per row.
constexpr int64_t kShortRow = 128;
/// The approximate space of a block of rows in the second cache.
constexpr int64_t kBlockBytes = int64_t(192) << 10;
constexpr int64_t kMostLanes = 1024;
/// The most rows that are copied to buffers at a time, one by one for each
/// element of a cache line, and the space of these buffers.
constexpr int64_t kMostGrouped = 16;
constexpr int64_t kGroupedBytes = int64_t(768) << 10;
/// Lanes that are read in place should be long enough for the full rate of
/// memory, even if the block then exceeds the cache. With a single sweep it
/// need not stay there.
constexpr int64_t kLeastDirectLanes = 256;
constexpr int64_t kMostDirectLanes = 4096;
/// With fewer rows per thread than this, threads are not loaded evenly; for
/// rows of more bytes than this, threads share each row.
constexpr int64_t kRowsForThreads = 4;
constexpr int64_t kSharedRowBytes = int64_t(2) << 20;
/// The bytes in memory from which prefetching rows pays, and the bytes of a
/// row's values up to which two rows count as near.
constexpr int64_t kLeastPrefetched = int64_t(512) << 10;
constexpr int64_t kLongestPrefetched = int64_t(192) << 10;

bool isUsed(const ReductionValue &value) {
  return value.access != ReductionAccess::None;
}

/// Whether neighbouring lanes of the value are neighbours in memory, for lanes
/// along the given axis.
bool isDense(const ReductionRun &run, const ReductionValue &value,
             bool acrossRows) {
  if (!value.data || !isAligned(value.data, value.bytes))
    return false;
  if (!acrossRows)
    return run.reducedRank <= 1 &&
           (run.reducedRank == 0 || value.reduced[0] == 1);
  return run.reducedRank <= 1 &&
         (run.keptRank == 0 || value.kept[run.keptRank - 1] == 1);
}

/// Whether each lane is a row: if rows are short, or if the values are dense
/// along a kept axis. Where the order matters, it decides.
bool isAcrossRows(const ReductionRun &run) {
  if (run.rows < kFewRows || run.length == 0)
    return false;
  if (run.order != ReductionOrder::Any)
    return run.order == ReductionOrder::Sequence;
  if (run.length < kShortRow)
    return true;
  int64_t alongRows = 0, acrossRows = 0;
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    const ReductionValue &value = run.values[i];
    // Values that repeat are small and are copied.
    if (!isUsed(value) || value.perRow || !value.data || value.sameInAllRows ||
        value.sameInRow)
      continue;
    if (run.reducedRank && value.reduced[run.reducedRank - 1] == 1)
      alongRows += value.bytes;
    if (run.keptRank && value.kept[run.keptRank - 1] == 1)
      acrossRows += value.bytes;
  }
  return acrossRows > alongRows;
}

/// The bytes of all values for one element of the space.
int64_t elementBytes(const ReductionRun &run) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < run.program->numValues; ++i)
    if (isUsed(run.values[i]) && !run.values[i].perRow)
      bytes += run.values[i].bytes;
  return bytes;
}

/// The approximate memory traffic of the run.
Traffic trafficOf(const ReductionRun &run) {
  Traffic traffic;
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    const ReductionValue &value = run.values[i];
    if (isUsed(value) && value.data)
      (value.computed ? traffic.written : traffic.read) +=
          value.bytes * (value.sameInAllRows ? 1 : run.rows) *
          (value.perRow || value.sameInRow ? 1 : run.length);
  }
  return traffic;
}

/// Chooses the rows of a block and the number of blocks.
void chooseBlocks(ReductionRun &run) {
  if (!run.acrossRows) {
    run.lanes = kLanes;
    run.runLength = run.runBlocks = 1;
    run.numItems = run.rows;
    return;
  }
  // Blocks stay within the innermost axis if that fills a strip, so that they
  // can be read in place.
  bool within = run.innerKept() >= kStrip;
  run.runLength = within ? run.innerKept() : run.rows;
  bool direct = false, buffered = !within;
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    if (!isUsed(run.values[i]) || run.values[i].perRow)
      continue;
    bool isDirect = within && isDense(run, run.values[i], true);
    direct |= isDirect;
    buffered |= !isDirect;
  }
  int32_t sweeps = 0;
  for (int32_t i = run.firstStage; i < run.endStage; ++i)
    sweeps += !run.program->rows->stages[i].perRow;
  int64_t each = std::max<int64_t>(elementBytes(run) * run.length, 1);
  int64_t lanes = std::clamp(kBlockBytes / each / kStrip * kStrip,
                             direct ? kLeastDirectLanes : kStrip, kMostLanes);
  if (!buffered && sweeps == 1)
    lanes = kMostDirectLanes;
  // Blocks have about the same size, with enough of them to share, unless
  // threads share each block: narrower blocks read shorter pieces of memory.
  int64_t runs = run.rows / run.runLength;
  int64_t blocks = divideUp(run.runLength, lanes);
  int64_t least = run.threads == 1 || run.parts >= run.threads
                      ? 1
                      : 2 * int64_t(run.threads);
  if (runs * blocks < least)
    blocks = divideUp(least, runs);
  lanes = std::max(roundUp(divideUp(run.runLength, blocks), kStrip), kStrip);
  run.lanes = lanes;
  // A last block that does not fill a strip begins earlier to fill one.
  int64_t whole = within ? run.runLength / kStrip * kStrip : run.runLength;
  run.overlaps = whole != run.runLength;
  run.runBlocks = divideUp(whole, lanes) + run.overlaps;
  run.numItems = runs * run.runBlocks;
}

void chooseAccesses(ReductionRun &run) {
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    ReductionValue &value = run.values[i];
    if (!isUsed(value))
      continue;
    if (value.perRow || (!run.acrossRows && !value.computed && value.sameInRow))
      value.access = ReductionAccess::PerRow;
    else if (isDense(run, value, run.acrossRows) &&
             (!run.acrossRows || run.innerKept() >= kStrip))
      value.access = run.streams && value.computed && value.lastReader < 0
                         ? ReductionAccess::Streamed
                         : ReductionAccess::Direct;
    else if (run.acrossRows && !value.computed && run.reducedRank == 1 &&
             blockPitch(run.lanes) * run.length > kBlockBytes / value.bytes)
      value.access = ReductionAccess::Window;
    else
      value.access = ReductionAccess::Buffered;
  }
}

/// Rows that interleave in memory are copied some at a time, because each alone
/// would move all of their cache lines.
void chooseGroup(ReductionRun &run) {
  if (run.acrossRows || run.length == 0 || run.innerKept() == 1 ||
      run.reducedRank == 0)
    return;
  int64_t bytes = 0;
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    ReductionValue &value = run.values[i];
    value.isGrouped = value.access == ReductionAccess::Buffered && value.data &&
                      value.kept[run.keptRank - 1] != 0 &&
                      std::abs(value.kept[run.keptRank - 1]) <
                          std::abs(value.reduced[run.reducedRank - 1]);
    bytes += value.isGrouped ? value.bytes : 0;
  }
  run.groupPitch = blockPitch(roundUp(run.length, kStrip));
  int64_t most = std::clamp<int64_t>(
      kGroupedBytes / std::max<int64_t>(bytes, 1) / run.groupPitch, 1,
      kMostGrouped);
  // Groups of about the same size.
  int64_t groups = divideUp(run.innerKept(), most);
  run.group = divideUp(run.innerKept(), groups);
  for (int32_t i = 0; i < run.program->numValues; ++i)
    run.values[i].isGrouped &= run.group > 1;
}

void placeBuffers(ReductionRun &run) {
  BufferLayout ofRow, ofThread;
  auto placeRow = [&](int64_t elements, int64_t bytes) {
    return ofRow.place(elements * bytes);
  };
  auto place = [&](int64_t elements, int64_t bytes) {
    return ofThread.place(elements * bytes);
  };
  int64_t row = run.acrossRows ? blockPitch(run.lanes) * run.length
                               : roundUp(run.length, kStrip);
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    ReductionValue &value = run.values[i];
    switch (value.access) {
    case ReductionAccess::None:
      break;
    case ReductionAccess::PerRow:
      value.buffer = placeRow(run.lanes, value.bytes);
      break;
    case ReductionAccess::Buffered:
      value.buffer = placeRow(
          value.isGrouped ? run.group * run.groupPitch : row, value.bytes);
      break;
    case ReductionAccess::Window:
      value.buffer =
          place(std::max(kWindowBytes / value.bytes, run.lanes), value.bytes);
      break;
    case ReductionAccess::Streamed:
      value.buffer =
          place(std::max(kReductionStreamBytes / value.bytes, run.lanes),
                value.bytes);
      [[fallthrough]];
    case ReductionAccess::Direct:
      // Strips for rows that do not fill their last strip.
      if (!run.acrossRows)
        value.strip = place(kStrip, value.bytes);
      break;
    }
  }
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    const BroadloomReductionStage &stage = run.program->rows->stages[i];
    for (int32_t k = 0; k < stage.numReductions; ++k) {
      ReductionValue &value =
          run.values[run.firstValues[i] + stage.numOutputs + k];
      value.neutral = place(run.lanes, value.bytes);
      value.lanes = place(run.lanes, value.bytes);
      if (run.order == ReductionOrder::Short && stage.reductions[k].fold)
        value.elements =
            place(roundUp(run.length, kStrip) + kStrip, value.bytes);
      if (run.levels && stage.reductions[k].fold)
        value.sequences = place(run.levels * run.lanes, value.bytes);
      if (run.parts > 1) {
        value.partials =
            placeRow(run.parts * (run.acrossRows ? run.lanes : 1), value.bytes);
        value.finished = place(2 * kLanes, value.bytes);
      }
    }
  }
  run.rowBytes = ofRow.bytes();
  run.threadBytes = ofThread.bytes();
}

/// In the order of sequences, how many results wait to be combined: one for
/// each bit of the number of sequences of a part.
int32_t countLevels(const ReductionRun &run) {
  int64_t length = std::min(run.length, kPartLength);
  if (run.order != ReductionOrder::Sequence || length <= kSequenceLength)
    return 0;
  int32_t levels = 0;
  for (int64_t left = divideUp(length, kSequenceLength); left; left /= 2)
    ++levels;
  return levels;
}

/// Threads share each row if rows are long and few.
void chooseSharing(ReductionRun &run) {
  run.sharesRow =
      run.threads > 1 && run.parts >= run.threads &&
      (run.numItems < kRowsForThreads * run.threads ||
       (!run.acrossRows && elementBytes(run) * run.length > kSharedRowBytes));
}

/// A thread that reads a row from beyond the second cache waits, unless the row
/// is prefetched. The second sweep over a row prefetches the next row: that
/// sweep itself reads no memory.
void choosePrefetch(ReductionRun &run, int64_t bytes) {
  if (run.acrossRows || run.parts > 1 || bytes < kLeastPrefetched ||
      elementBytes(run) * run.length > kLongestPrefetched)
    return;
  int32_t sweeps = 0;
  for (int32_t i = run.firstStage; i < run.endStage; ++i)
    if (!run.program->rows->stages[i].perRow && ++sweeps == 2)
      run.prefetchStage = i;
}

} // namespace

ReductionOrder broadloom::chooseOrder(int64_t rows, int64_t length,
                                      bool isInnermost) noexcept {
  if (rows >= kFewRows && (!isInnermost || length < kShortestRow))
    return ReductionOrder::Sequence;
  return isInnermost && areShortRows(rows, length) ? ReductionOrder::Short
                                                   : ReductionOrder::Lanes;
}

void broadloom::planReduction(ReductionRun &run, int32_t threads) noexcept {
  Traffic traffic = trafficOf(run);
  int64_t bytes = traffic.read + traffic.written;
  run.threads = threadsFor(threads, bytes);
  run.streams = run.length * run.rows >= kReductionStreamBytes &&
                isWorthStreaming(traffic, run.threads);
  if (planShortRows(run)) {
    run.threads = int32_t(std::min<int64_t>(run.threads, run.numItems));
    return;
  }
  run.acrossRows = isAcrossRows(run);
  run.streams =
      run.length * (run.acrossRows ? run.rows : 1) >= kReductionStreamBytes &&
      isWorthStreaming(traffic, run.threads);
  run.parts = std::max<int64_t>(divideUp(run.length, kPartLength), 1);
  run.levels = countLevels(run);
  chooseBlocks(run);
  chooseAccesses(run);
  chooseGroup(run);
  chooseSharing(run);
  choosePrefetch(run, bytes);
  placeBuffers(run);
  if (!run.sharesRow)
    run.threads = int32_t(std::min<int64_t>(run.threads, run.numShares()));
}
