//===- ReductionShort.cpp - short rows, where they are in memory ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs with one kernel for all their stages (BroadloomShortRowsKernel). The
// kernel computes groups of rows that are in memory, or are copied there, and
// stay in the first cache.
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/Stream.h"
#include "runtime/reductions/ReductionWorker.h"

#include <algorithm>

using namespace broadloom;

namespace {

constexpr int64_t kGroup = BROADLOOM_SHORT_ROWS;
/// From this length on, values between stages are kept in results: in shorter
/// rows, buffers that begin at a vector are faster. Kernels prefetch no such
/// rows (codegen/kernels/ShortRowKernel.cpp).
constexpr int64_t kLeastKept = 256;
/// The space of a group of rows in the first cache, and the work of a call.
constexpr int64_t kGroupBytes = int64_t(24) << 10;
constexpr int64_t kCallBytes = int64_t(64) << 10;

/// Whether the elements of a row are consecutive in memory.
bool isDenseRow(const ReductionRun &run, const ReductionValue &value) {
  int64_t stride = 1;
  for (int32_t axis = run.reducedRank - 1; axis >= 0; --axis) {
    if (value.reduced[axis] != stride)
      return false;
    stride *= run.reducedExtents[axis];
  }
  return run.reducedRank > 0;
}

/// Whether all rows have the same elements, which are all equal.
bool isSplat(const ReductionValue &value) {
  return value.sameInRow && value.sameInAllRows;
}

/// The bytes of the values of one row.
int64_t bytesOfRow(const ReductionRun &run) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < run.program->numValues; ++i)
    if (const ReductionValue &value = run.values[i];
        value.access != ReductionAccess::None && !value.perRow &&
        !value.sameInAllRows)
      bytes += value.bytes * roundUp(run.length, kGroup);
  return bytes;
}

/// Whether the extents are those of short rows. Where the order matters, it
/// decides; else rows pay that follow each other in memory.
bool areShort(const ReductionRun &run) {
  if (run.order != ReductionOrder::Any)
    return run.order == ReductionOrder::Short;
  return areShortRows(run.rows, run.length) &&
         run.innerKept() >= kFewestShortRows;
}

bool isResult(const ReductionRun &run, int32_t id) {
  const int32_t *results = run.program->results;
  const int32_t *end = results + run.program->numResults;
  return std::find(results, end, id) != end;
}

/// The rows of a buffer: a group for what is computed between stages, one if
/// all rows are the same, else those of a call.
int64_t rowsOfBuffer(const ReductionRun &run, int32_t id) {
  const ReductionValue &value = run.values[id];
  if (!value.data && !isResult(run, id))
    return kGroup;
  return value.data && value.sameInAllRows ? 1 : run.lanes;
}

bool canBeShort(const ReductionRun &run) {
  if (!run.program->rows->shortRows || run.firstStage != 0 ||
      run.endStage != run.program->numStages || !areShort(run))
    return false;
  // The kernel stores all results, of which only some may be in memory:
  // results with elements go to a buffer.
  for (int32_t i = 0; i < run.program->numResults; ++i) {
    const ReductionValue &value = run.values[run.program->results[i]];
    if (!value.data && value.perRow)
      return false;
  }
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    const ReductionValue &value = run.values[i];
    if (value.access == ReductionAccess::None || !value.data)
      continue;
    if (!isAligned(value.data, value.bytes))
      return false;
    if (value.perRow || isDenseRow(run, value) || isSplat(value))
      continue;
    // Other operands are copied, which pays only where the order matters.
    if (value.computed || run.order == ReductionOrder::Any)
      return false;
  }
  return true;
}

void chooseAccesses(ReductionRun &run) {
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    ReductionValue &value = run.values[i];
    if (value.access == ReductionAccess::None)
      continue;
    if (value.perRow)
      value.access = ReductionAccess::PerRow;
    else if (!value.data || !isDenseRow(run, value))
      value.access = ReductionAccess::Buffered;
    else
      value.access = value.computed && run.streams ? ReductionAccess::Streamed
                                                   : ReductionAccess::Direct;
  }
}

/// A value of which `stage` is the last reader, and that can be in the memory
/// of `result`, which the stage computes; null if there is none.
ReductionValue *findKept(const ReductionRun &run, int32_t stage,
                         const ReductionValue &result) {
  const BroadloomReductionStage &it = run.program->rows->stages[stage];
  for (int32_t k = 0; k < it.numInputs; ++k) {
    ReductionValue &value = run.values[it.inputs[k]];
    if (value.access == ReductionAccess::Buffered && !value.data &&
        value.bytes == result.bytes && value.lastReader == stage)
      return &value;
  }
  return nullptr;
}

/// Keeps values between stages in the memory of results that replace them
/// element by element: its lines then come to the cache while an earlier stage
/// computes. Returns the bytes that a row saves.
int64_t keepInResults(ReductionRun &run) {
  int64_t saved = 0;
  for (int32_t stage = run.firstStage; stage < run.endStage; ++stage)
    for (int32_t k = 0; k < run.program->rows->stages[stage].numOutputs; ++k) {
      const ReductionValue &result = run.values[run.firstValues[stage] + k];
      if (result.access != ReductionAccess::Direct)
        continue;
      ReductionValue *value = findKept(run, stage, result);
      if (!value)
        continue;
      value->access = ReductionAccess::Direct;
      value->data = result.data;
      value->kept = result.kept;
      value->reduced = result.reduced;
      saved += value->bytes * roundUp(run.length, kGroup);
    }
  return saved;
}

/// Chooses the rows of a call, of which each has `bytes` bytes; with values
/// that are kept in results no more than a group, because kernels use the rows
/// of such a value for each group again.
void chooseLanes(ReductionRun &run, int64_t bytes, bool isKept) {
  // If a full group of rows does not fit, fewer rows are computed at a time: an
  // even number, because the kernel computes long rows side by side, and
  // not too few, because a group has a fixed cost.
  int64_t lanes = std::max<int64_t>(kGroupBytes / bytes, 4) & -2;
  if (lanes >= kGroup)
    lanes =
        isKept ? kGroup : roundUp(std::max(kCallBytes / bytes, kGroup), kGroup);
  // Makes enough calls to share.
  int64_t each = roundUp(run.rows / (2 * run.threads) + 1, kGroup);
  run.lanes = std::min(lanes, each);
  run.runLength = run.innerKept();
  run.runBlocks = divideUp(run.runLength, run.lanes);
  run.numItems = run.rows / run.runLength * run.runBlocks;
}

void placeBuffers(ReductionRun &run) {
  BufferLayout ofRow(/*shifts=*/false), ofThread(/*shifts=*/false);
  for (int32_t i = 0; i < run.program->numValues; ++i) {
    ReductionValue &value = run.values[i];
    if (value.access == ReductionAccess::None)
      continue;
    int64_t elements = 0;
    if (value.access == ReductionAccess::Buffered)
      elements = rowsOfBuffer(run, i) * roundUp(run.length, kGroup);
    else if (value.access == ReductionAccess::Streamed)
      elements = run.lanes * run.length;
    BufferLayout &layout =
        value.access == ReductionAccess::Streamed ? ofThread : ofRow;
    value.buffer = layout.place(elements * value.bytes);
  }
  run.rowBytes = ofRow.bytes();
  run.threadBytes = ofThread.bytes();
}

} // namespace

bool broadloom::planShortRows(ReductionRun &run) noexcept {
  if (!canBeShort(run))
    return false;
  int64_t bytes = bytesOfRow(run), saved = 0;
  chooseAccesses(run);
  if (run.length >= kLeastKept)
    saved = keepInResults(run);
  chooseLanes(run, std::max<int64_t>(bytes - saved, 1), saved > 0);
  placeBuffers(run);
  run.shortRows = true;
  return true;
}

/// Sets the address of a value for `count` rows from `first` on, and the
/// distance of rows.
void ReductionWorker::openShort(int32_t id, const ReductionValue &value,
                                int64_t first, int64_t count) {
  bases[id] = bufferOf(value);
  if (value.access == ReductionAccess::Streamed) {
    steps[id] = run.length;
  } else if (value.access != ReductionAccess::Buffered) {
    if (value.data) {
      steps[id] = mover.strideAcross(value);
      bases[id] = value.data + mover.offsetOf(value, first) * value.bytes;
    }
  } else if (value.computed) {
    steps[id] = roundUp(run.length, kGroup);
  } else if (value.sameInAllRows) {
    steps[id] = 0;
    if (keys[id] != 0)
      mover.gather(value, bases[id], {1, run.length}, 0, 1);
    keys[id] = 0;
  } else {
    steps[id] = roundUp(run.length, kGroup);
    mover.gather(value, bases[id], {1, steps[id]}, first, count);
  }
}

void ReductionWorker::runShort(int64_t item) {
  int64_t from = item % run.runBlocks * run.lanes;
  int64_t first = item / run.runBlocks * run.runLength + from;
  int64_t count = std::min(run.lanes, run.runLength - from);
  for (int32_t i = 0; i < program.numValues; ++i)
    if (run.values[i].access != ReductionAccess::None)
      openShort(i, run.values[i], first, count);
  program.rows->shortRows(reinterpret_cast<void *const *>(bases), steps,
                          run.length, count);
  for (int32_t i = 0; i < program.numValues; ++i) {
    const ReductionValue &value = run.values[i];
    if (value.access != ReductionAccess::Streamed)
      continue;
    char *to = value.data + mover.offsetOf(value, first) * value.bytes;
    int64_t stride = mover.strideAcross(value);
    // Contiguous rows are one piece.
    bool isOne = stride == run.length || count == 1;
    int64_t bytes = (isOne ? count : 1) * run.length * value.bytes;
    for (int64_t row = 0; row < (isOne ? 1 : count); ++row)
      streamCopy(to + row * stride * value.bytes, bufferOf(value) + row * bytes,
                 bytes);
  }
}
