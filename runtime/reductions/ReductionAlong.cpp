//===- ReductionAlong.cpp - lanes that go along a row ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Fill.h"
#include "runtime/memory/Stream.h"
#include "runtime/reductions/ReductionWorker.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
static constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
/// Steps of a row between which lines of the next one are prefetched: a core
/// can have more lines than that in flight.
static constexpr int64_t kPrefetchedSteps = 8;
static_assert(kLanes == kStrip, "what fills strips fills lanes");

/// Gathers the rows that follow each other from `row` on along the innermost
/// kept axis.
void ReductionWorker::openGroup(int64_t row) {
  int64_t extent = run.innerKept();
  groupFirst = row;
  groupEnd =
      std::min({row + run.group, row - row % extent + extent, endOfItems});
  for (int32_t i = 0; i < program.numValues; ++i)
    if (const ReductionValue &value = run.values[i];
        value.isGrouped && !value.computed)
      mover.gather(value, bufferOf(value), {1, run.groupPitch}, row,
                   groupEnd - row);
}

void ReductionWorker::openRow(int64_t row) {
  if (run.group > 1 && row >= groupEnd)
    openGroup(row);
  for (int32_t i = 0; i < program.numValues; ++i)
    if (const ReductionValue &value = run.values[i];
        value.access != ReductionAccess::None)
      openInRow(i, value, row);
}

void ReductionWorker::closeRow(int64_t row) {
  for (int32_t i = 0; i < program.numValues; ++i) {
    const ReductionValue &value = run.values[i];
    if (!value.computed || !value.data)
      continue;
    if (value.access == ReductionAccess::PerRow)
      memcpy(value.data + mover.offsetOf(value, row) * value.bytes,
             bufferOf(value), size_t(value.bytes));
    else if (value.access == ReductionAccess::Buffered && run.length != 0)
      closeInRow(value, row);
  }
}

/// Copies a buffer to memory: that of a group behind its last row.
void ReductionWorker::closeInRow(const ReductionValue &value, int64_t row) {
  if (!value.isGrouped)
    mover.scatter(value, bufferOf(value), {1, run.length}, row, 1);
  else if (row + 1 == groupEnd)
    mover.scatter(value, bufferOf(value), {1, run.groupPitch}, groupFirst,
                  groupEnd - groupFirst);
}

/// Sets the address of a value for a row, and fills its buffer.
void ReductionWorker::openInRow(int32_t id, const ReductionValue &value,
                                int64_t row) {
  bool isPerRow = value.access == ReductionAccess::PerRow;
  bool isDirect = value.access == ReductionAccess::Direct;
  bases[id] = bufferOf(value);
  steps[id] = isPerRow ? 0 : kLanes;
  if (value.isGrouped) {
    bases[id] += (row - groupFirst) * run.groupPitch * value.bytes;
    return;
  }
  if ((value.computed && !isDirect) || (run.length == 0 && !value.perRow))
    return;
  int64_t offset = mover.offsetOf(value, row);
  if (isDirect) {
    bases[id] = value.data + offset * value.bytes;
    return;
  }
  if (keys[id] == offset)
    return;
  keys[id] = offset;
  if (isPerRow)
    fillSplat(bufferOf(value), value.data + offset * value.bytes, kLanes,
              value.bytes);
  else
    mover.gather(value, bufferOf(value), {1, run.length}, row, 1);
}

/// Runs one stage over the elements of a part of a row.
void ReductionWorker::sweepPart(int32_t number, int64_t row, int64_t part) {
  const BroadloomReductionStage &stage = program.rows->stages[number];
  for (int32_t k = 0; k < stage.numReductions; ++k)
    makeNeutral(reductionOf(number, k));
  int64_t begin = part * kPartLength;
  int64_t length =
      run.parts > 1 ? std::min(run.length - begin, kPartLength) : run.length;
  int64_t tail = length % kStrip, whole = length - tail;
  if (tail)
    sweepTail(stage, number, begin + whole, tail, row);
  int64_t main = whole / kLanes;
  int64_t piece = piecesOf(stage, number, main, kLanes);
  bool prefetches = number == run.prefetchStage && row + 1 < run.rows;
  if (prefetches)
    piece = std::min(piece, kPrefetchedSteps);
  for (int64_t at = 0; at < main; at += piece) {
    int64_t count = std::min(piece, main - at);
    if (prefetches)
      prefetch(row + 1, begin + at * kLanes, count * kLanes);
    call(stage, number, kLanes, count, begin + at * kLanes, 0);
    stream(stage, number, row, begin + at * kLanes, count * kLanes);
  }
  for (int32_t k = 0; k < stage.numReductions; ++k) {
    const ReductionValue &value = reductionOf(number, k);
    if (run.parts == 1) {
      stage.reductions[k].finish(memory + value.lanes, bufferOf(value));
      continue;
    }
    stage.reductions[k].finish(memory + value.lanes, memory + value.finished);
    memcpy(rowMemory + value.partials + part * value.bytes,
           memory + value.finished, size_t(value.bytes));
  }
}

/// Runs the elements that do not fill a strip, before all others, so that the
/// unused lanes can be made neutral again.
void ReductionWorker::sweepTail(const BroadloomReductionStage &stage,
                                int32_t number, int64_t whole, int64_t tail,
                                int64_t row) {
  for (int32_t k = 0; k < stage.numInputs; ++k) {
    const ReductionValue &value = run.values[stage.inputs[k]];
    if (value.access == ReductionAccess::Direct)
      memcpy(memory + value.strip, bases[stage.inputs[k]] + whole * value.bytes,
             size_t(tail * value.bytes));
  }
  call(stage, number, kStrip, 1, whole, kStrip);
  for (int32_t k = 0; k < stage.numOutputs; ++k) {
    int32_t id = run.firstValues[number] + k;
    const ReductionValue &value = run.values[id];
    if (value.access == ReductionAccess::Direct)
      memcpy(bases[id] + whole * value.bytes, memory + value.strip,
             size_t(tail * value.bytes));
    else if (value.access == ReductionAccess::Streamed)
      memcpy(value.data + (mover.offsetOf(value, row) + whole) * value.bytes,
             memory + value.strip, size_t(tail * value.bytes));
  }
  for (int32_t k = 0; k < stage.numReductions; ++k)
    makeNeutral(reductionOf(number, k), tail);
}

void ReductionWorker::stream(const BroadloomReductionStage &stage,
                             int32_t number, int64_t row, int64_t at,
                             int64_t count) {
  for (int32_t k = 0; k < stage.numOutputs; ++k)
    if (const ReductionValue &value = run.values[run.firstValues[number] + k];
        value.access == ReductionAccess::Streamed)
      streamCopy(value.data + (mover.offsetOf(value, row) + at) * value.bytes,
                 bufferOf(value), count * value.bytes);
}

/// Prefetches elements of a row that will be read from memory.
void ReductionWorker::prefetch(int64_t row, int64_t at, int64_t count) {
  constexpr int64_t kLine = 64;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    const ReductionValue &value = run.values[i];
    if (value.access != ReductionAccess::Direct || value.sameInAllRows)
      continue;
    const char *from =
        value.data + (mover.offsetOf(value, row) + at) * value.bytes;
    for (int64_t line = 0; line < count * value.bytes; line += kLine)
      __builtin_prefetch(from + line, /*rw=*/0, /*locality=*/2);
  }
}

/// Calls the kernel on the elements of a row from `at` on. `strip`: values in
/// memory have been copied to strips.
void ReductionWorker::call(const BroadloomReductionStage &stage, int32_t number,
                           int64_t lanes, int64_t count, int64_t at,
                           int64_t strip) {
  callKernel(stage, number, lanes, count, {at, 1, lanes}, [&](int32_t id) {
    const ReductionValue &value = run.values[id];
    bool isStreamed = value.access == ReductionAccess::Streamed;
    if (strip && (isStreamed || value.access == ReductionAccess::Direct))
      return memory + value.strip;
    if (isStreamed || value.access == ReductionAccess::PerRow)
      return bufferOf(value);
    return bases[id] + at * value.bytes;
  });
}
