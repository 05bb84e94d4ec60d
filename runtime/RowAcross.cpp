//===- RowAcross.cpp - lanes that go across rows --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/RowWorker.h"
#include "runtime/Space.h"
#include "runtime/Stream.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

void RowWorker::runBlock(int64_t item) {
  int64_t block = item % run.runBlocks;
  int64_t first = item / run.runBlocks * run.runLength + block * run.lanes;
  int64_t end = (item / run.runBlocks + 1) * run.runLength;
  // The last block of a run has what does not fill a strip.
  int64_t whole = run.runLength / kStrip * kStrip;
  bool within = run.innerKept() >= kStrip;
  if (within && whole != run.runLength) {
    if (block + 1 == run.runBlocks)
      first = end - (run.runLength - whole);
    else
      end -= run.runLength - whole;
  }
  int64_t count = std::min(run.lanes, end - first);
  int64_t lanes = roundUp(count, kStrip);
  bool exact = lanes == count;
  for (int32_t i = 0; i < program.numValues; ++i)
    if (const RowValue &value = run.values[i]; value.access != RowAccess::None)
      openInBlock(i, value, first, count, lanes);
  for (int32_t i = run.firstStage; i < run.endStage; ++i)
    sweepBlock(i, first, lanes, exact);
  for (int32_t i = 0; i < program.numValues; ++i) {
    const RowValue &value = run.values[i];
    if (!value.computed || !value.data)
      continue;
    if (value.access == RowAccess::PerRow)
      memcpy(value.data + first * value.bytes, bufferOf(value),
             size_t(count * value.bytes));
    else if (value.access == RowAccess::Buffered)
      mover.scatter(value, bufferOf(value), blockPitch(lanes), first, count);
    else if (!exact)
      mover.scatter(value, memory + value.strip, lanes, first, count);
  }
}

void RowWorker::openInBlock(int32_t id, const RowValue &value, int64_t first,
                            int64_t count, int64_t lanes) {
  bool isDirect = value.access == RowAccess::Direct;
  places[id] = bufferOf(value);
  steps[id] = value.access == RowAccess::PerRow     ? 0
              : value.access == RowAccess::Buffered ? blockPitch(lanes)
                                                    : lanes;
  if (isDirect && lanes == count) {
    places[id] = value.data + mover.offsetOf(value, first) * value.bytes;
    steps[id] = mover.strideAlong(value);
    return;
  }
  if (isDirect || (value.access == RowAccess::Streamed && lanes != count))
    places[id] = memory + value.strip;
  if (value.computed)
    return;
  if (value.access == RowAccess::PerRow)
    return openPerRow(id, value, first, count, lanes);
  if (value.sameInAllRows && !isDirect) {
    if (keys[id] == lanes)
      return;
    keys[id] = lanes;
  }
  mover.gather(value, places[id], steps[id], first, count);
}

/// One element for each row of the block.
void RowWorker::openPerRow(int32_t id, const RowValue &value, int64_t first,
                           int64_t count, int64_t lanes) {
  if (count == lanes && mover.strideAcross(value) == 1 &&
      isAligned(value.data, value.bytes) &&
      (run.keptRank == 1 || run.innerKept() >= kStrip)) {
    places[id] = value.data + mover.offsetOf(value, first) * value.bytes;
    return;
  }
  mover.gatherPerRow(value, places[id], first, count);
}

void RowWorker::sweepBlock(int32_t number, int64_t first, int64_t lanes,
                           bool exact) {
  const BroadloomRowStage &stage = program.rows->stages[number];
  for (int32_t k = 0; k < stage.numFolds; ++k) {
    const RowValue &value = foldOf(number, k);
    memcpy(lanesOf(value), memory + value.neutral, size_t(lanes * value.bytes));
  }
  int64_t count = stage.perRow ? 1 : run.length;
  int64_t piece = exact ? piecesOf(stage, number, count, lanes) : count;
  for (int64_t at = 0; at < count; at += piece) {
    int64_t some = std::min(piece, count - at);
    callBlock(stage, number, lanes, some, at, exact);
    if (exact)
      streamBlock(stage, number, first, lanes, at, some);
  }
}

void RowWorker::streamBlock(const BroadloomRowStage &stage, int32_t number,
                            int64_t first, int64_t lanes, int64_t at,
                            int64_t count) {
  for (int32_t k = 0; k < stage.numOutputs; ++k) {
    const RowValue &value = run.values[run.firstValues[number] + k];
    if (value.access != RowAccess::Streamed)
      continue;
    int64_t stride = mover.strideAlong(value);
    char *to =
        value.data + (mover.offsetOf(value, first) + at * stride) * value.bytes;
    for (int64_t step = 0; step < count; ++step)
      streamCopy(to + step * stride * value.bytes,
                 bufferOf(value) + step * lanes * value.bytes,
                 lanes * value.bytes);
  }
}

void RowWorker::callBlock(const BroadloomRowStage &stage, int32_t number,
                          int64_t lanes, int64_t count, int64_t at,
                          bool exact) {
  callKernel(stage, number, lanes, count, {at, 0, 1}, [&](int32_t id) {
    const RowValue &value = run.values[id];
    bool inPieces = value.access == RowAccess::Streamed && exact;
    return places[id] + (inPieces ? 0 : at * steps[id] * value.bytes);
  });
}
