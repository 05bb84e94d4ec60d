//===- RowEngine.cpp - stages over rows, grid by grid ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Fill.h"
#include "runtime/ParallelFor.h"
#include "runtime/RowWorker.h"
#include "runtime/Stream.h"

#include <algorithm>
#include <type_traits>

using namespace broadloom;

static int64_t mostPointers(const RowRun &run) {
  int32_t most = 0;
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    const BroadloomRowStage &stage = run.program->rows->stages[i];
    most = std::max(most, stage.numInputs + stage.numOutputs + stage.numFolds);
  }
  return most;
}

int64_t RowWorker::bytesFor(const RowRun &run) {
  return roundUp(run.threadBytes, kMemoryAlignment) +
         8 * (3 * int64_t(run.program->numValues) + 2 * mostPointers(run) +
              RowMover::numbersFor(run));
}

RowWorker::RowWorker(const RowRun &run, char *memory)
    : run(run), program(*run.program), memory(memory),
      mover(run, numbersIn(run, memory)) {
  int64_t *next = numbersIn(run, memory) + RowMover::numbersFor(run);
  auto take = [&](auto *&array, int64_t count) {
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
    next += count;
  };
  take(places, program.numValues);
  take(steps, program.numValues);
  take(keys, program.numValues);
  take(pointers, mostPointers(run));
  take(pointerSteps, mostPointers(run));
}

void RowWorker::work(int64_t begin, int64_t end) {
  start();
  for (int64_t item = begin; item < end; ++item)
    run.acrossRows ? runBlock(item) : runRow(item);
  if (run.streams)
    streamFence();
}

/// Sets what does not change: neutral elements.
void RowWorker::start() {
  std::fill(keys, keys + program.numValues, INT64_MIN);
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    const BroadloomRowStage &stage = program.rows->stages[i];
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      const RowValue &value = foldOf(i, k);
      fillSplat(memory + value.neutral,
                static_cast<const char *>(stage.folds[k].neutral), run.lanes,
                value.bytes);
    }
  }
}

/// How many steps are made at a time: all, if nothing is streamed.
int64_t RowWorker::piecesOf(const BroadloomRowStage &stage, int32_t number,
                            int64_t count, int64_t lanes) const {
  int64_t piece = std::max(count, int64_t(1));
  for (int32_t k = 0; k < stage.numOutputs; ++k)
    if (const RowValue &value = run.values[run.firstValues[number] + k];
        value.access == RowAccess::Streamed)
      piece = std::min(
          piece, std::max(kRowStreamBytes / value.bytes / lanes, int64_t(1)));
  return piece;
}

bool broadloom::runRows(const RowRun &run, Arena &arena) noexcept {
  int64_t bytes = roundUp(RowWorker::bytesFor(run), kMemoryAlignment) +
                  2 * kMemoryAlignment;
  int64_t all;
  if (__builtin_mul_overflow(bytes, int64_t(run.threads), &all))
    return false;
  char *memory = static_cast<char *>(arena.allocate(all));
  if (!memory)
    return false;
  parallelFor(run.threads, run.numItems,
              [&](int32_t thread, int64_t begin, int64_t end) {
                RowWorker(run, memory + thread * bytes).work(begin, end);
              });
  return true;
}
