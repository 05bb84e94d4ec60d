//===- ReductionAcross.cpp - lanes that go across rows --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/Stream.h"
#include "runtime/reductions/ReductionWorker.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

ReductionWorker::Block ReductionWorker::blockOf(int64_t item) const {
  int64_t block = item % run.runBlocks;
  int64_t first = item / run.runBlocks * run.runLength + block * run.lanes;
  int64_t end = (item / run.runBlocks + 1) * run.runLength;
  if (run.overlaps) {
    if (block + 1 == run.runBlocks)
      first = end - kStrip;
    else
      end -= run.runLength % kStrip;
  }
  int64_t count = std::min(run.lanes, end - first);
  return {first, count, roundUp(count, kStrip)};
}

void ReductionWorker::openBlock(const Block &block) {
  for (int32_t i = 0; i < program.numValues; ++i)
    if (const ReductionValue &value = run.values[i];
        value.access != ReductionAccess::None)
      openInBlock(i, value, block);
}

void ReductionWorker::closeBlock(const Block &block) {
  for (int32_t i = 0; i < program.numValues; ++i) {
    const ReductionValue &value = run.values[i];
    if (!value.computed || !value.data)
      continue;
    if (value.access == ReductionAccess::PerRow)
      memcpy(value.data + block.first * value.bytes, bufferOf(value),
             size_t(block.count * value.bytes));
    else if (value.access == ReductionAccess::Buffered)
      mover.scatter(value, bufferOf(value), {blockPitch(block.lanes), 1},
                    block.first, block.count);
  }
}

void ReductionWorker::openInBlock(int32_t id, const ReductionValue &value,
                                  const Block &block) {
  bases[id] = bufferOf(value);
  steps[id] = value.access == ReductionAccess::PerRow ? 0
              : value.access == ReductionAccess::Buffered
                  ? blockPitch(block.lanes)
                  : block.lanes;
  if (value.access == ReductionAccess::Direct) {
    bases[id] = value.data + mover.offsetOf(value, block.first) * value.bytes;
    steps[id] = mover.strideAlong(value);
    return;
  }
  if (value.computed || value.access == ReductionAccess::Window)
    return;
  if (value.access == ReductionAccess::PerRow)
    return openPerRow(id, value, block.first, block.count, block.lanes);
  if (value.sameInAllRows) {
    if (keys[id] == block.lanes)
      return;
    keys[id] = block.lanes;
  }
  mover.gather(value, bases[id], {steps[id], 1}, block.first, block.count);
}

/// Fills the windows with what a stage reads in steps [at, at + count).
void ReductionWorker::openWindows(const BroadloomReductionStage &stage,
                                  const Block &block, int64_t at,
                                  int64_t count) {
  for (int32_t k = 0; k < stage.numInputs; ++k)
    if (const ReductionValue &value = run.values[stage.inputs[k]];
        value.access == ReductionAccess::Window)
      mover.gatherSteps(value, bufferOf(value), block.lanes, block.first,
                        block.count, at, count);
}

/// Opens a value with one element per row of the block.
void ReductionWorker::openPerRow(int32_t id, const ReductionValue &value,
                                 int64_t first, int64_t count, int64_t lanes) {
  if (count == lanes && mover.strideAcross(value) == 1 &&
      isAligned(value.data, value.bytes) &&
      (run.keptRank == 1 || run.innerKept() >= kStrip)) {
    bases[id] = value.data + mover.offsetOf(value, first) * value.bytes;
    return;
  }
  mover.gatherPerRow(value, bases[id], first, count);
}

/// Runs one stage over the steps of a part.
void ReductionWorker::sweepBlockPart(int32_t number, const Block &block,
                                     int64_t part) {
  const BroadloomReductionStage &stage = program.rows->stages[number];
  for (int32_t k = 0; k < stage.numReductions; ++k) {
    const ReductionValue &value = reductionOf(number, k);
    memcpy(lanesOf(value), memory + value.neutral,
           size_t(block.lanes * value.bytes));
  }
  int64_t begin = part * kPartLength;
  int64_t count =
      run.parts > 1 ? std::min(run.length - begin, kPartLength) : run.length;
  if (run.levels && hasOrder(stage))
    sweepSequences(number, block, begin, count);
  else
    sweepSteps(number, block, begin, count);
  for (int32_t k = 0; k < stage.numReductions && run.parts > 1; ++k) {
    const ReductionValue &value = reductionOf(number, k);
    int64_t bytes = block.lanes * value.bytes;
    memcpy(rowMemory + value.partials + part * bytes, lanesOf(value),
           size_t(bytes));
  }
}

/// Runs one stage over steps [first, first + count).
void ReductionWorker::sweepSteps(int32_t number, const Block &block,
                                 int64_t first, int64_t count) {
  const BroadloomReductionStage &stage = program.rows->stages[number];
  int64_t piece = piecesOf(stage, number, count, block.lanes);
  for (int64_t at = 0; at < count; at += piece) {
    int64_t some = std::min(piece, count - at);
    openWindows(stage, block, first + at, some);
    callBlock(stage, number, block.lanes, some, first + at);
    streamBlock(stage, number, block.first, block.lanes, first + at, some);
  }
}

/// Combines lanes with other lanes, which get the result.
void ReductionWorker::foldLanes(const BroadloomReduce &reduce, char *from,
                                char *to, int64_t lanes) {
  BroadloomReductionIndex index{0, 1, 0};
  void *addresses[] = {from, to, &index};
  int64_t stepsOfBoth[] = {0, 0};
  reduce.fold(addresses, stepsOfBoth, lanes, 1);
}

/// Runs one stage over steps [first, first + count), in sequences whose results
/// are combined as the carries of a binary counter are: level k has the result
/// of 2^k sequences if bit k of their number is set. A sequence is folded in
/// the lanes of the level that it completes. Only reductions with an order are
/// folded so.
void ReductionWorker::sweepSequences(int32_t number, const Block &block,
                                     int64_t first, int64_t count) {
  const BroadloomReductionStage &stage = program.rows->stages[number];
  auto forOrdered = [&](auto use) {
    for (int32_t k = 0; k < stage.numReductions; ++k)
      if (stage.reductions[k].fold)
        use(stage.reductions[k], reductionOf(number, k));
  };
  int64_t sequences = divideUp(count, kSequenceLength);
  for (int64_t i = 0; i < sequences; ++i) {
    level = __builtin_ctzll(~uint64_t(i));
    forOrdered([&](const BroadloomReduce &, const ReductionValue &value) {
      memcpy(lanesOf(value), memory + value.neutral,
             size_t(block.lanes * value.bytes));
    });
    int64_t at = i * kSequenceLength;
    sweepSteps(number, block, first + at,
               std::min(kSequenceLength, count - at));
    forOrdered([&](const BroadloomReduce &reduce, const ReductionValue &value) {
      for (int32_t lower = 0; lower < level; ++lower)
        foldLanes(reduce, sequenceLanes(value, lower), lanesOf(value),
                  block.lanes);
    });
  }
  level = -1;
  // What is left is combined from the shortest to the longest.
  forOrdered([&](const BroadloomReduce &reduce, const ReductionValue &value) {
    for (int32_t left = 0; left < run.levels; ++left)
      if (sequences >> left & 1)
        foldLanes(reduce, sequenceLanes(value, left), lanesOf(value),
                  block.lanes);
  });
}

void ReductionWorker::streamBlock(const BroadloomReductionStage &stage,
                                  int32_t number, int64_t first, int64_t lanes,
                                  int64_t at, int64_t count) {
  for (int32_t k = 0; k < stage.numOutputs; ++k) {
    const ReductionValue &value = run.values[run.firstValues[number] + k];
    if (value.access != ReductionAccess::Streamed)
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

void ReductionWorker::callBlock(const BroadloomReductionStage &stage,
                                int32_t number, int64_t lanes, int64_t count,
                                int64_t at) {
  callKernel(stage, number, lanes, count, {at, 0, 1}, [&](int32_t id) {
    const ReductionValue &value = run.values[id];
    // The worker's own memory has only these steps.
    if (isOfThread(value.access))
      return bufferOf(value);
    return bases[id] + at * steps[id] * value.bytes;
  });
}
