//===- ReductionWorker.cpp - stages over rows, tile by tile ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/reductions/ReductionWorker.h"
#include "runtime/Rounding.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/Stream.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static int64_t mostPointers(const ReductionRun &run) {
  int32_t most = 0;
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    const BroadloomReductionStage &stage = run.program->rows->stages[i];
    most = std::max(most, stage.numInputs + stage.numOutputs +
                              stage.numReductions + 1);
  }
  return most;
}

inline ReductionThreadMemory::ReductionThreadMemory(const ReductionRun &run,
                                                    ArrayLayout &layout)
    : memory(layout.takeBuffer(run.threadBytes)), mover(run, layout),
      keys(layout.take<int64_t>(run.program->numValues)) {
  int64_t most = mostPointers(run);
  pointers = layout.take<void *>(most);
  pointerSteps = layout.take<int64_t>(most);
}

inline ReductionRowMemory::ReductionRowMemory(const ReductionRun &run,
                                              ArrayLayout &layout)
    : rowMemory(layout.takeBuffer(run.rowBytes)),
      bases(layout.take<char *>(run.program->numValues)),
      steps(layout.take<int64_t>(run.program->numValues)) {}

ReductionWorker::ReductionWorker(const ReductionRun &run, ArrayLayout memory,
                                 ArrayLayout row)
    : ReductionThreadMemory(run, memory), ReductionRowMemory(run, row),
      run(run), program(*run.program), endOfItems(run.numItems) {
  start();
}

void ReductionWorker::work(int64_t begin, int64_t end) {
  endOfItems = end;
  for (int64_t item = begin; item < end; ++item) {
    if (run.shortRows) {
      runShort(item);
      continue;
    }
    open(item);
    for (int32_t i = run.firstStage; i < run.endStage; ++i)
      if (program.rows->stages[i].perRow) {
        computePerRow(i, item);
      } else {
        sweep(i, item, 0, run.parts);
        join(i, item);
      }
    close(item);
  }
  if (run.streams)
    streamFence();
}

void ReductionWorker::open(int64_t item) {
  run.acrossRows ? openBlock(blockOf(item)) : openRow(item);
}

void ReductionWorker::close(int64_t item) {
  run.acrossRows ? closeBlock(blockOf(item)) : closeRow(item);
}

void ReductionWorker::computePerRow(int32_t stage, int64_t item) {
  const BroadloomReductionStage &it = program.rows->stages[stage];
  if (!run.acrossRows)
    return call(it, stage, BROADLOOM_REDUCTION_LANES, 1, 0, 0);
  callBlock(it, stage, blockOf(item).lanes, 1, 0);
}

void ReductionWorker::sweep(int32_t stage, int64_t item, int64_t begin,
                            int64_t end) {
  if (run.order == ReductionOrder::Short &&
      hasOrder(program.rows->stages[stage]))
    return sweepInShortOrder(stage, item);
  for (int64_t part = begin; part < end; ++part)
    if (run.acrossRows)
      sweepBlockPart(stage, blockOf(item), part);
    else
      sweepPart(stage, item, part);
}

void ReductionWorker::join(int32_t stage, int64_t item) {
  if (run.parts == 1)
    return;
  const BroadloomReductionStage &it = program.rows->stages[stage];
  for (int32_t k = 0; k < it.numReductions; ++k) {
    const ReductionValue &value = reductionOf(stage, k);
    char *results = rowMemory + value.partials;
    if (!run.acrossRows) {
      joinParts(it.reductions[k], value, results, 1);
      fillSplat(bufferOf(value), results, BROADLOOM_REDUCTION_LANES,
                value.bytes);
      continue;
    }
    int64_t lanes = blockOf(item).lanes;
    for (int64_t lane = 0; lane < lanes; ++lane)
      joinParts(it.reductions[k], value, results + lane * value.bytes, lanes);
    memcpy(bufferOf(value), results, size_t(lanes * value.bytes));
  }
}

void ReductionWorker::joinParts(const BroadloomReduce &reduce,
                                const ReductionValue &value, char *results,
                                int64_t stride) {
  constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
  int64_t bytes = value.bytes;
  char *finished = memory + value.finished, *lanes = finished + kLanes * bytes;
  for (int64_t left = run.parts; left > 1; left = divideUp(left, kLanes))
    for (int64_t at = 0; at * kLanes < left; ++at) {
      int64_t count = std::min(left - at * kLanes, kLanes);
      memcpy(lanes, memory + value.neutral, size_t(kLanes * bytes));
      fillStrided(lanes, results + at * kLanes * stride * bytes, stride, count,
                  value.bytes);
      reduce.finish(lanes, finished);
      memcpy(results + at * stride * bytes, finished, size_t(bytes));
    }
}

/// Writes the neutral elements, which do not change.
void ReductionWorker::start() {
  std::fill(keys, keys + program.numValues, INT64_MIN);
  if (run.shortRows)
    return;
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    const BroadloomReductionStage &stage = program.rows->stages[i];
    for (int32_t k = 0; k < stage.numReductions; ++k) {
      const ReductionValue &value = reductionOf(i, k);
      fillSplat(memory + value.neutral,
                static_cast<const char *>(stage.reductions[k].neutral),
                run.lanes, value.bytes);
    }
  }
}

/// The number of steps at a time: all, if nothing is streamed or read through a
/// window.
int64_t ReductionWorker::piecesOf(const BroadloomReductionStage &stage,
                                  int32_t number, int64_t count,
                                  int64_t lanes) const {
  int64_t piece = std::max(count, int64_t(1));
  for (int32_t k = 0; k < stage.numOutputs; ++k)
    if (const ReductionValue &value = run.values[run.firstValues[number] + k];
        value.access == ReductionAccess::Streamed)
      piece =
          std::min(piece, std::max(kReductionStreamBytes / value.bytes / lanes,
                                   int64_t(1)));
  for (int32_t k = 0; k < stage.numInputs; ++k)
    if (const ReductionValue &value = run.values[stage.inputs[k]];
        value.access == ReductionAccess::Window)
      piece = std::min(
          piece, std::max(kWindowBytes / value.bytes / lanes, int64_t(1)));
  return piece;
}

namespace {
/// The memory of a run: for each thread, and for each row in progress.
struct ReductionMemory {
  char *data;
  int64_t threadBytes, rowBytes;
  bool sharesRow;
  ArrayLayout thread(int32_t number) const {
    return ArrayLayout(addressOf(number));
  }
  ArrayLayout row(int32_t number) const {
    return ArrayLayout(sharesRow ? data : addressOf(number) + threadBytes);
  }

private:
  char *addressOf(int32_t number) const {
    return sharesRow ? data + rowBytes + threadBytes * number
                     : data + (threadBytes + rowBytes) * number;
  }
};
} // namespace

/// Runs one row or block of rows after the other; all threads work on each.
static void runShared(const ReductionRun &run, const ReductionMemory &memory) {
  ReductionWorker first(run, memory.thread(0), memory.row(0));
  for (int64_t item = 0; item < run.numItems; ++item) {
    first.open(item);
    for (int32_t i = run.firstStage; i < run.endStage; ++i) {
      if (run.program->rows->stages[i].perRow) {
        first.computePerRow(i, item);
        continue;
      }
      parallelFor(run.threads, run.parts,
                  [&](int32_t thread, int64_t begin, int64_t end) {
                    ReductionWorker worker(run, memory.thread(thread),
                                           memory.row(0));
                    worker.sweep(i, item, begin, end);
                    if (run.streams)
                      streamFence();
                  });
      first.join(i, item);
    }
    first.close(item);
  }
}

bool broadloom::runReduction(const ReductionRun &run, Arena &arena) noexcept {
  ReductionMemory memory{
      nullptr, threadPitch(bytesOf<ReductionThreadMemory>(run)),
      threadPitch(bytesOf<ReductionRowMemory>(run)), run.sharesRow};
  int64_t rows = run.sharesRow ? 1 : run.threads, all, shared;
  if (__builtin_mul_overflow(memory.threadBytes, int64_t(run.threads), &all) ||
      __builtin_mul_overflow(memory.rowBytes, rows, &shared) ||
      __builtin_add_overflow(all, shared, &all))
    return false;
  memory.data = static_cast<char *>(arena.allocate(all));
  if (!memory.data)
    return false;
  if (run.sharesRow) {
    runShared(run, memory);
    return true;
  }
  parallelFor(run.threads, run.numShares(),
              [&](int32_t thread, int64_t begin, int64_t end) {
                ReductionWorker(run, memory.thread(thread), memory.row(thread))
                    .work(run.firstItem(begin), run.firstItem(end));
              });
  return true;
}
