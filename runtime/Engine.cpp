//===- Engine.cpp - levels run chunk by chunk -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Block.h"
#include "runtime/Level.h"
#include "runtime/ParallelFor.h"
#include "runtime/Stream.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

/// What a staged input's buffer holds: `filled` elements from `key` on.
struct Staged {
  int64_t key;
  int64_t filled;
  /// Offset of the current row's first element.
  int64_t rowOffset;
};

int64_t roundUp(int64_t bytes) {
  return (bytes + kMemoryAlignment - 1) & ~(kMemoryAlignment - 1);
}

/// What one thread needs to run chunks of a level.
class Worker {
public:
  /// Bytes of memory that a worker works in.
  static int64_t bytesFor(const Level &level) {
    return level.threadBytes +
           roundUp(int64_t(sizeof(Staged)) * level.numInputs) +
           8 * (2 * int64_t(level.program->numValues) + 2 * level.stageInputs +
                level.stageOutputs + 2 * level.rank);
  }

  Worker(const Level &level, char *memory) : level(level), buffers(memory) {
    memory += level.threadBytes;
    staged = reinterpret_cast<Staged *>(memory);
    memory += roundUp(int64_t(sizeof(Staged)) * level.numInputs);
    index = reinterpret_cast<int64_t *>(memory);
    resultStrides = index + level.rank;
    steps = resultStrides + level.rank;
    stageSteps = steps + level.program->numValues;
    current = reinterpret_cast<char **>(stageSteps + level.stageInputs);
    char **end = current + level.program->numValues;
    stageInputs = const_cast<const void **>(reinterpret_cast<void **>(end));
    stageOutputs = reinterpret_cast<void **>(end + level.stageInputs);
  }

  /// A level of less than a strip: padded with zeros, on this thread.
  void runTiny() {
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const LevelInput &input = level.inputs[i];
      char *buffer = buffers + input.buffer;
      int64_t bytes = level.count * input.walk.bytes;
      memset(buffer + bytes, 0, size_t(kStrip * input.walk.bytes - bytes));
      if (input.walk.rank == 1 && input.walk.strides[0] == 1)
        memcpy(buffer, input.walk.base, size_t(bytes));
      else
        fillWalk(buffer, input.walk, 0, level.count);
      current[input.value] = buffer;
      steps[input.value] = kStrip;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i) {
      current[level.outputs[i].value] = buffers + level.outputs[i].buffer;
      steps[level.outputs[i].value] = kStrip;
    }
    callStages(kStrip);
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        memcpy(output.data, buffers + output.buffer,
               size_t(level.count * output.bytes));
  }

  void run(int64_t begin, int64_t end) {
    start();
    int64_t part = begin % level.rowChunks;
    bool manyRows = level.rowLength != level.count;
    if (manyRows)
      moveTo(begin / level.rowChunks);
    for (int64_t item = begin; item < end; ++item) {
      int64_t column = part * level.chunk;
      bool lastOfRow = part + 1 == level.rowChunks;
      int64_t length = lastOfRow ? level.rowLength - column : level.chunk;
      if (level.bandAxis < 0)
        runChunk(column, length);
      else
        runBand(column, length);
      if (!lastOfRow) {
        ++part;
        continue;
      }
      part = 0;
      if (item + 1 < end)
        moveOn();
    }
    if (level.streams)
      streamFence();
  }

private:
  /// Sets what does not change from chunk to chunk.
  void start() {
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const LevelInput &input = level.inputs[i];
      staged[i] = Staged{0, 0, 0};
      char *buffer = buffers + input.buffer;
      if (input.access == Access::Scalar)
        fillSplat(buffer, input.walk.base, kStrip, input.walk.bytes);
      steps[input.value] = isOneStrip(input.access) ? 0 : kStrip;
      if (input.access != Access::Whole && input.access != Access::Row)
        current[input.value] = buffer;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i) {
      const LevelOutput &output = level.outputs[i];
      if (!output.data)
        current[output.value] = buffers + output.buffer;
      steps[output.value] = kStrip;
    }
    rowMajorStrides(level.extents, level.rank, resultStrides);
  }

  /// To the row, or the first row of the band, that is `number` in order.
  void moveTo(int64_t number) {
    for (int32_t axis = level.rank - 2; axis >= 0; --axis) {
      int64_t steps = stepsAlong(level, axis);
      index[axis] = number % steps;
      number /= steps;
      moveAlong(axis, index[axis] * rowsPerStep(axis));
    }
  }

  /// To the next row, or to the first one of the next band.
  void moveOn() {
    int32_t axis = level.rank - 2;
    for (;; --axis) {
      if (++index[axis] < stepsAlong(level, axis) || axis == 0)
        return moveAlong(axis, rowsPerStep(axis));
      moveAlong(axis, (1 - index[axis]) * rowsPerStep(axis));
      index[axis] = 0;
    }
  }

  int64_t rowsPerStep(int32_t axis) const {
    return axis == level.bandAxis ? level.bandRows : 1;
  }

  void moveAlong(int32_t axis, int64_t rows) {
    rowStart += rows * resultStrides[axis];
    for (int32_t i = 0; i < level.numInputs; ++i)
      staged[i].rowOffset += rows * level.inputs[i].walk.strides[axis];
  }

  /// The same chunk of all rows of the current band.
  void runBand(int64_t column, int64_t length) {
    int32_t axis = level.bandAxis;
    int64_t rows = std::min(level.bandRows,
                            level.extents[axis] - index[axis] * level.bandRows);
    int64_t pitch = blockPitch(level);
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const Walk &walk = level.inputs[i].walk;
      if (level.inputs[i].access != Access::Block)
        continue;
      int64_t stride = walk.strides[walk.rank - 1];
      gatherBlock(buffers + level.inputs[i].buffer, pitch,
                  walk.base +
                      (staged[i].rowOffset + column * stride) * walk.bytes,
                  walk.strides[axis], stride, rows, length, walk.bytes);
    }
    for (bandRow = 0; bandRow < rows; ++bandRow) {
      runChunk(column, length);
      moveAlong(axis, 1);
    }
    moveAlong(axis, -rows);
  }

  /// Elements [column, column + length) of the current row.
  void runChunk(int64_t column, int64_t length) {
    for (int32_t i = 0; i < level.numInputs; ++i)
      access(level.inputs[i], staged[i], column, length);
    if (level.streamsItself)
      return runStreamed(column, length);
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        current[output.value] =
            output.staged ? buffers + output.buffer : placeOf(output, column);
    int64_t strips = length / kStrip * kStrip;
    callStages(strips);
    if (strips != length) {
      // The last elements once more as part of a whole strip. Outputs do not
      // overlap inputs, so computing an element twice gives it twice.
      shift(length - kStrip);
      callStages(kStrip);
    }
    if (level.staging)
      copyStaged(column, length);
  }

  /// A chunk whose kernel streams. Its ends go through the buffer, in whole
  /// strips: computing an element twice gives it twice.
  void runStreamed(int64_t column, int64_t length) {
    const LevelOutput &output = level.outputs[0];
    char *buffer = buffers + output.buffer;
    char *place = placeOf(output, column);
    int64_t head = int64_t(-reinterpret_cast<uintptr_t>(place) %
                           BROADLOOM_STREAM_ALIGNMENT) /
                   output.bytes;
    if (head) {
      current[output.value] = buffer;
      callStages(kStrip);
      memcpy(place, buffer, size_t(head * output.bytes));
      shift(head);
    }
    int64_t strips = (length - head) / kStrip * kStrip;
    if (strips) {
      current[output.value] = place + head * output.bytes;
      callStages(strips, /*streamed=*/1);
    }
    int64_t rest = length - head - strips;
    if (rest) {
      shift(length - kStrip - head);
      current[output.value] = buffer;
      callStages(kStrip);
      streamCopy(place + (length - rest) * output.bytes,
                 buffer + (kStrip - rest) * output.bytes, rest * output.bytes);
    }
  }

  /// A chunk to where it goes, when all of it is computed: nothing of the
  /// operand that it may be written over is read again.
  void copyStaged(int64_t column, int64_t length) {
    for (int32_t i = 0; i < level.numOutputs; ++i) {
      const LevelOutput &output = level.outputs[i];
      if (!output.staged)
        continue;
      char *place = placeOf(output, column);
      int64_t bytes = length * output.bytes;
      if (level.streams)
        streamCopy(place, buffers + output.buffer, bytes);
      else
        memcpy(place, buffers + output.buffer, size_t(bytes));
    }
  }

  char *placeOf(const LevelOutput &output, int64_t column) const {
    return output.data + (rowStart + column) * output.bytes;
  }

  void access(const LevelInput &input, Staged &state, int64_t column,
              int64_t length) {
    const Walk &walk = input.walk;
    char *buffer = buffers + input.buffer;
    switch (input.access) {
    case Access::Scalar:
      return;
    case Access::Whole:
      current[input.value] =
          const_cast<char *>(walk.base) + (rowStart + column) * walk.bytes;
      return;
    case Access::Row:
      current[input.value] = const_cast<char *>(walk.base) +
                             (state.rowOffset + column) * walk.bytes;
      return;
    case Access::RowSplat:
      if (!holds(state, state.rowOffset, 1))
        fillSplat(buffer, walk.base + state.rowOffset * walk.bytes, kStrip,
                  walk.bytes);
      return;
    case Access::RowGather: {
      int64_t stride = walk.strides[walk.rank - 1];
      int64_t offset = state.rowOffset + column * stride;
      if (!holds(state, offset, length))
        fillStrided(buffer, walk.base + offset * walk.bytes, stride, length,
                    walk.bytes);
      current[input.value] = buffer;
      return;
    }
    case Access::Block:
      current[input.value] = buffer + bandRow * blockPitch(level) * walk.bytes;
      return;
    case Access::Pattern: {
      int64_t begin = column % walk.period;
      if (!holds(state, begin, length))
        fillWalk(buffer, walk, begin, length);
      current[input.value] = buffer;
      return;
    }
    }
  }

  /// Whether a buffer already has the `length` elements that `key` stands for;
  /// it will have them afterwards.
  static bool holds(Staged &state, int64_t key, int64_t length) {
    if (state.key == key && state.filled >= length)
      return true;
    state.key = key;
    state.filled = length;
    return false;
  }

  /// Moves all inputs and stored outputs on within the chunk.
  void shift(int64_t elements) {
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const LevelInput &input = level.inputs[i];
      if (!isOneStrip(input.access))
        current[input.value] += elements * input.walk.bytes;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        current[output.value] += elements * output.bytes;
  }

  void callStages(int64_t elements, int32_t streamed = 0) {
    for (int32_t i = 0; i < level.numStages; ++i) {
      int32_t number = level.stages[i];
      const BroadloomStage &stage = level.program->stages[number];
      for (int32_t k = 0; k < stage.numInputs; ++k) {
        stageInputs[k] = current[stage.inputs[k]];
        stageSteps[k] = steps[stage.inputs[k]];
      }
      for (int32_t k = 0; k < stage.numOutputs; ++k)
        stageOutputs[k] = current[level.firstOutputs[number] + k];
      stage.kernel(stageInputs, stageOutputs, stageSteps, elements, streamed);
    }
  }

  const Level &level;
  char *buffers;
  Staged *staged;
  /// Which row or band the current one is along each outer axis.
  int64_t *index;
  int64_t *resultStrides;
  /// The number of the first element of the current row.
  int64_t rowStart = 0;
  /// The current row within its band.
  int64_t bandRow = 0;
  /// Where each value is for the current chunk, and how far on it is for the
  /// next strip.
  char **current;
  int64_t *steps;
  int64_t *stageSteps;
  const void **stageInputs;
  void **stageOutputs;
};

} // namespace

bool broadloom::runLevel(const Level &level, Arena &arena) noexcept {
  // Threads' memory on different cache lines, and shifted like buffers.
  int64_t bytes = roundUp(Worker::bytesFor(level)) + 2 * kMemoryAlignment;
  int64_t all;
  if (__builtin_mul_overflow(bytes, int64_t(level.threads), &all))
    return false;
  char *memory = static_cast<char *>(arena.allocate(all));
  if (!memory)
    return false;
  if (level.count < kStrip) {
    Worker(level, memory).runTiny();
    return true;
  }
  parallelFor(level.threads, level.numChunks,
              [&](int32_t thread, int64_t begin, int64_t end) {
                Worker(level, memory + thread * bytes).run(begin, end);
              });
  return true;
}
