//===- ReductionWorker.h - one thread of a run over rows --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one thread that runs rows (ReductionAlong.cpp,
// ReductionShortOrder.cpp), blocks of rows (ReductionAcross.cpp) or short rows
// (ReductionShort.cpp). Invariant: the memory is the worker's alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONWORKER_H
#define BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONWORKER_H

#include "runtime/reductions/ReductionMover.h"

#include <cstring>

namespace broadloom {

/// The arrays of a worker.
struct ReductionThreadMemory {
  ReductionThreadMemory(const ReductionRun &run, ArrayLayout &layout);

  /// Buffers.
  char *memory;
  ReductionMover mover;
  /// Keys of the contents of buffers, which need no refill if the key stays the
  /// same.
  int64_t *keys;
  /// The arguments of a kernel.
  void **pointers;
  int64_t *pointerSteps;
};

/// The arrays of a row, or block of rows, in progress.
struct ReductionRowMemory {
  ReductionRowMemory(const ReductionRun &run, ArrayLayout &layout);

  /// Buffers.
  char *rowMemory;
  /// The address of each value for the current row or block, and its step in
  /// elements.
  char **bases;
  int64_t *steps;
};

class ReductionWorker : private ReductionThreadMemory, ReductionRowMemory {
public:
  /// `memory` is this worker's memory, `row` that of the row on which it works:
  /// blocks for a ReductionThreadMemory and a ReductionRowMemory.
  ReductionWorker(const ReductionRun &run, ArrayLayout memory, ArrayLayout row);

  /// Computes rows or blocks of rows [begin, end).
  void work(int64_t begin, int64_t end);

  /// The steps of work() for a row or block that threads share: one worker
  /// opens it, computes the values with one element per row, and closes it.
  /// Workers on the same row memory sweep its parts, and one joins these.
  void open(int64_t item);
  void computePerRow(int32_t stage, int64_t item);
  void sweep(int32_t stage, int64_t item, int64_t begin, int64_t end);
  void join(int32_t stage, int64_t item);
  void close(int64_t item);

private:
  /// Rows [first, first + count), in lanes rounded up to whole strips.
  struct Block {
    int64_t first, count, lanes;
  };
  Block blockOf(int64_t item) const;

  void start();

  /// Combines the results of parts, which begin at `results` and are `stride`
  /// elements apart, as lanes, to one result there.
  void joinParts(const BroadloomReduce &reduce, const ReductionValue &value,
                 char *results, int64_t stride);

  void openRow(int64_t row);
  void openGroup(int64_t row);
  void openInRow(int32_t id, const ReductionValue &value, int64_t row);
  void sweepPart(int32_t number, int64_t row, int64_t part);
  void sweepInShortOrder(int32_t number, int64_t row);
  void foldInShortOrder(const BroadloomReduce &reduce,
                        const ReductionValue &value);
  void closeRow(int64_t row);
  void closeInRow(const ReductionValue &value, int64_t row);
  void sweepTail(const BroadloomReductionStage &stage, int32_t number,
                 int64_t whole, int64_t tail, int64_t row);
  void stream(const BroadloomReductionStage &stage, int32_t number, int64_t row,
              int64_t at, int64_t count);
  void prefetch(int64_t row, int64_t at, int64_t count);
  void call(const BroadloomReductionStage &stage, int32_t number, int64_t lanes,
            int64_t count, int64_t at, int64_t strip);

  void openShort(int32_t id, const ReductionValue &value, int64_t first,
                 int64_t count);
  void runShort(int64_t item);

  void openBlock(const Block &block);
  void openInBlock(int32_t id, const ReductionValue &value, const Block &block);
  void closeBlock(const Block &block);
  void openWindows(const BroadloomReductionStage &stage, const Block &block,
                   int64_t at, int64_t count);
  void openPerRow(int32_t id, const ReductionValue &value, int64_t first,
                  int64_t count, int64_t lanes);
  void sweepBlockPart(int32_t number, const Block &block, int64_t part);
  void sweepSteps(int32_t number, const Block &block, int64_t first,
                  int64_t count);
  void sweepSequences(int32_t number, const Block &block, int64_t first,
                      int64_t count);
  void foldLanes(const BroadloomReduce &reduce, char *from, char *to,
                 int64_t lanes);
  void streamBlock(const BroadloomReductionStage &stage, int32_t number,
                   int64_t first, int64_t lanes, int64_t at, int64_t count);
  void callBlock(const BroadloomReductionStage &stage, int32_t number,
                 int64_t lanes, int64_t count, int64_t at);

  /// Calls a stage's kernel; `addressOf(id)` is the address of a value.
  template <typename AddressOf>
  void callKernel(const BroadloomReductionStage &stage, int32_t number,
                  int64_t lanes, int64_t count, BroadloomReductionIndex index,
                  AddressOf addressOf) {
    int32_t next = 0;
    auto add = [&](int32_t id) {
      pointerSteps[next] = steps[id];
      pointers[next++] = addressOf(id);
    };
    for (int32_t k = 0; k < stage.numInputs; ++k)
      add(stage.inputs[k]);
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      add(run.firstValues[number] + k);
    for (int32_t k = 0; k < stage.numReductions; ++k) {
      pointerSteps[next] = 0;
      pointers[next++] = lanesOf(reductionOf(number, k));
    }
    pointers[next] = &index;
    stage.kernel(pointers, pointerSteps, lanes, count);
  }

  /// Whether the buffer of a value belongs to a thread and has some steps at a
  /// time.
  static bool isOfThread(ReductionAccess access) {
    return access == ReductionAccess::Streamed ||
           access == ReductionAccess::Window;
  }
  char *bufferOf(const ReductionValue &value) const {
    return (isOfThread(value.access) ? memory : rowMemory) + value.buffer;
  }
  /// The address of the partial results of a reduction. For a block of rows,
  /// each lane has the result of its row.
  char *lanesOf(const ReductionValue &value) const {
    if (level >= 0 && value.sequences)
      return sequenceLanes(value, level);
    return run.acrossRows && !run.sharesRow ? rowMemory + value.buffer
                                            : memory + value.lanes;
  }
  /// The lanes of the sequences of a level.
  char *sequenceLanes(const ReductionValue &value, int32_t of) const {
    return memory + value.sequences + of * run.lanes * value.bytes;
  }
  /// Makes the partial results of a reduction neutral from lane `from` on.
  void makeNeutral(const ReductionValue &value, int64_t from = 0) {
    memcpy(memory + value.lanes + from * value.bytes, memory + value.neutral,
           size_t((BROADLOOM_REDUCTION_LANES - from) * value.bytes));
  }
  const ReductionValue &reductionOf(int32_t stage, int32_t reduce) const {
    return run.values[run.firstValues[stage] +
                      program.rows->stages[stage].numOutputs + reduce];
  }
  int64_t piecesOf(const BroadloomReductionStage &stage, int32_t number,
                   int64_t count, int64_t lanes) const;

  const ReductionRun &run;
  const BroadloomProgram &program;
  /// The end of the items that this worker opens, and the rows that the buffers
  /// of grouped values have.
  int64_t endOfItems;
  int64_t groupFirst = 0, groupEnd = 0;
  /// The level in whose lanes a sequence is folded, or -1 without sequences.
  int32_t level = -1;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONWORKER_H
