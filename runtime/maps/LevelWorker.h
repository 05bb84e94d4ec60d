//===- LevelWorker.h - one thread of a level --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one thread that runs chunks of a level: consecutive chunks or
// whole rows (LevelFlat.cpp), or any level, chunk by chunk (LevelChunks.cpp).
// Invariant: the memory is the worker's alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MAPS_LEVELWORKER_H
#define BROADLOOM_RUNTIME_MAPS_LEVELWORKER_H

#include "runtime/maps/LevelCursor.h"

namespace broadloom {

/// The arrays of a worker.
struct LevelMemory {
  LevelMemory(const Level &level, ArrayLayout &layout);

  /// The contents of a staged input's buffer: `filled` elements from `key` on.
  struct Staged {
    int64_t key;
    int64_t filled;
  };
  /// An input with one element per row, its address, and the distance in bytes
  /// from row to row.
  struct Splat {
    const LevelInput *input;
    const char *from;
    int64_t step;
  };

  char *buffers;
  LevelCursor cursor;
  Staged *staged;
  Splat *splats;
  /// The address of each input, and then each output, for the current chunk,
  /// and its step to the next strip.
  char **bases;
  char **outputs;
  int64_t *steps;
  /// For whole rows: the distances in bytes from the last whole strip to the
  /// strip that ends the row, and from there to the next row.
  int64_t *tailSteps, *rowSteps;
  /// For several stages: the index of each value in `bases`, and the arguments
  /// of one stage.
  int64_t *numbers;
  int64_t *stageSteps;
  char **stageInputs;
  char **stageOutputs;
};

/// Runs chunks of one level, with its own memory.
class LevelWorker : private LevelMemory {
public:
  /// `layout` is of a block for a LevelMemory.
  LevelWorker(const Level &level, ArrayLayout layout);

  /// Runs a level of less than a strip, padded with its first element, on this
  /// thread.
  void runTiny();

  /// Runs chunks [begin, end).
  void run(int64_t begin, int64_t end);

private:
  static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

  /// Sets what does not change from chunk to chunk.
  void start();

  /// Runs chunks one after another without rows. If the kernel streams, chunks
  /// are shifted so that they begin and end at cache lines.
  void runFlat(int64_t begin, int64_t end);
  void setFlat(int64_t at);

  /// Runs whole rows; all values advance by a fixed distance from row to row.
  void runRows(int64_t begin, int64_t end);
  int32_t setRow();

  void runChunks(int64_t begin, int64_t end);
  void runBand(int64_t column, int64_t length);
  void runChunk(int64_t column, int64_t length);
  void runStreamed(int64_t column, int64_t length);
  void access(int32_t i, int64_t column, int64_t length);
  static bool holds(Staged &state, int64_t key, int64_t length);
  void copyStaged(int64_t column, int64_t length);

  /// The number of elements before the first cache line that begins at or after
  /// `to`.
  static int64_t headOf(const LevelOutput &output, const char *to) {
    return int64_t(-reinterpret_cast<uintptr_t>(to) %
                   BROADLOOM_STREAM_ALIGNMENT) /
           output.bytes;
  }
  /// Computes the `head` elements at `to`, and the `rest` elements before
  /// `end`, as parts of whole strips.
  void runHead(int64_t head, char *to);
  void runTail(char *end, int64_t rest);

  /// Element `at` in the buffer of an input that repeats.
  char *repeatAt(const LevelInput &input, int64_t at) const {
    return buffers + input.buffer + at % input.walk.period * input.walk.bytes;
  }

  char *addressOf(const LevelOutput &output, int64_t column) const {
    return output.data + (cursor.outputStart + column) * output.bytes;
  }

  /// Advances all inputs and stored outputs within the chunk.
  void shift(int64_t elements);

  void callStages(int64_t elements, int32_t streamed = 0) {
    if (onlyStage)
      return onlyStage->kernel(asKernelInputs(bases),
                               reinterpret_cast<void **>(outputs), steps,
                               elements, streamed);
    callEachStage(elements, streamed);
  }
  void callEachStage(int64_t elements, int32_t streamed);

  static const void **asKernelInputs(char **pointers) {
    return const_cast<const void **>(reinterpret_cast<void **>(pointers));
  }

  const Level &level;
  /// The current row within its band.
  int64_t bandRow = 0;
  /// The only stage, if its inputs and outputs are the level's, in that order.
  const BroadloomStage *onlyStage = nullptr;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MAPS_LEVELWORKER_H
