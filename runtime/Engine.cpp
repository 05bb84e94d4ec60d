//===- Engine.cpp - levels run chunk by chunk -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Block.h"
#include "runtime/LevelCursor.h"
#include "runtime/ParallelFor.h"
#include "runtime/Stream.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

/// What a staged input's buffer holds: `filled` elements from `key` on.
struct Staged {
  int64_t key;
  int64_t filled;
};

int64_t roundUp(int64_t bytes) {
  return (bytes + kMemoryAlignment - 1) & ~(kMemoryAlignment - 1);
}

/// What one thread needs to run chunks of a level.
class Worker {
public:
  /// Bytes of memory that a worker works in.
  static int64_t bytesFor(const Level &level) {
    return level.threadBytes + int64_t(sizeof(Staged)) * level.numInputs +
           8 * (2 * int64_t(level.numInputs + level.numOutputs) +
                level.program->numValues + 2 * level.stageInputs +
                level.stageOutputs + LevelCursor::sizeFor(level));
  }

  Worker(const Level &level, char *memory)
      : level(level), buffers(memory),
        cursor(level, reinterpret_cast<int64_t *>(memory + level.threadBytes)) {
    memory += level.threadBytes + 8 * LevelCursor::sizeFor(level);
    staged = reinterpret_cast<Staged *>(memory);
    memory += int64_t(sizeof(Staged)) * level.numInputs;
    auto take = [&](auto *&table, int64_t count) {
      table =
          reinterpret_cast<std::remove_reference_t<decltype(table)>>(memory);
      memory += 8 * count;
    };
    take(steps, level.numInputs + level.numOutputs);
    take(places, level.numInputs + level.numOutputs);
    take(numbers, level.program->numValues);
    take(stageSteps, level.stageInputs);
    take(stageInputs, level.stageInputs);
    take(stageOutputs, level.stageOutputs);
    outputs = places + level.numInputs;
    const BroadloomStage &first = level.program->stages[level.stages[0]];
    if (level.numStages == 1 && level.numInputs == first.numInputs) {
      onlyStage = &first;
      return;
    }
    for (int32_t i = 0; i < level.numInputs; ++i)
      numbers[level.inputs[i].value] = i;
    for (int32_t i = 0; i < level.numOutputs; ++i)
      numbers[level.outputs[i].value] = level.numInputs + i;
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
      places[i] = buffer;
      steps[i] = kStrip;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i) {
      outputs[i] = buffers + level.outputs[i].buffer;
      steps[level.numInputs + i] = kStrip;
    }
    callStages(kStrip);
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        memcpy(output.data, buffers + output.buffer,
               size_t(level.count * output.bytes));
  }

  void run(int64_t begin, int64_t end) {
    start();
    if (level.isFlat && onlyStage)
      runFlat(begin, end);
    else
      runChunks(begin, end);
    if (level.streams)
      streamFence();
  }

private:
  void runChunks(int64_t begin, int64_t end) {
    int64_t part = begin % level.rowChunks;
    bool manyRows = level.rowLength != level.count;
    if (manyRows)
      cursor.moveTo(begin / level.rowChunks);
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
        cursor.moveOn();
    }
  }

  /// Chunks one after another without regard to rows. Where the kernel streams,
  /// all of them begin and end at a cache line, as far as the whole has to be
  /// moved for that.
  void runFlat(int64_t begin, int64_t end) {
    const LevelOutput &output = level.outputs[0];
    int64_t at = begin * level.chunk, last = level.count;
    int64_t head = level.streamsItself ? headOf(output, output.data) : 0;
    if (head && begin == 0) {
      setFlat(0);
      runHead(head, output.data);
    }
    at += head;
    if (end != level.numChunks)
      last = end * level.chunk + head;
    for (int64_t length; last - at >= kStrip; at += length) {
      length = std::min(level.chunk, (last - at) / kStrip * kStrip);
      setFlat(at);
      callStages(length, level.streamsItself);
    }
    if (at == last)
      return;
    setFlat(last - kStrip);
    if (level.streamsItself)
      runTail(output.data + last * output.bytes, last - at);
    else
      callStages(kStrip);
  }

  /// To element `at` of everything.
  void setFlat(int64_t at) {
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const LevelInput &input = level.inputs[i];
      const Walk &walk = input.walk;
      if (input.access == Access::Whole)
        places[i] = const_cast<char *>(walk.base) + at * walk.bytes;
      else if (input.access == Access::Repeat)
        places[i] = repeatAt(input, at);
    }
    for (int32_t i = 0; i < level.numOutputs; ++i)
      outputs[i] = level.outputs[i].data + at * level.outputs[i].bytes;
  }

  /// Element `at` in the buffer of an input that repeats.
  char *repeatAt(const LevelInput &input, int64_t at) const {
    return buffers + input.buffer + at % input.walk.period * input.walk.bytes;
  }

  /// Sets what does not change from chunk to chunk.
  void start() {
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const LevelInput &input = level.inputs[i];
      staged[i] = Staged{0, 0};
      char *buffer = buffers + input.buffer;
      if (input.access == Access::Scalar)
        fillSplat(buffer, input.walk.base, kStrip, input.walk.bytes);
      if (input.access == Access::Repeat)
        fillWalk(buffer, input.walk, 0,
                 std::min(repeatCapacity(level, input), level.count));
      steps[i] = isOneStrip(input.access) ? 0 : kStrip;
      if (input.access != Access::Whole && input.access != Access::Row)
        places[i] = buffer;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i) {
      if (!level.outputs[i].data)
        outputs[i] = buffers + level.outputs[i].buffer;
      steps[level.numInputs + i] = kStrip;
    }
    cursor.start();
  }

  /// The same chunk of all rows of the current band.
  void runBand(int64_t column, int64_t length) {
    int32_t axis = level.bandAxis;
    int64_t rows = cursor.rowsInBand();
    int64_t pitch = blockPitch(level);
    for (int32_t i = 0; i < level.numInputs; ++i) {
      const Walk &walk = level.inputs[i].walk;
      if (level.inputs[i].access != Access::Block)
        continue;
      int64_t stride = walk.strides[walk.rank - 1];
      gatherBlock(buffers + level.inputs[i].buffer, pitch,
                  walk.base +
                      (cursor.rowOffsets[i] + column * stride) * walk.bytes,
                  walk.strides[axis], stride, rows, length, walk.bytes);
    }
    for (bandRow = 0; bandRow < rows; ++bandRow) {
      runChunk(column, length);
      cursor.moveAlong(axis, 1);
    }
    cursor.moveAlong(axis, -rows);
  }

  /// Elements [column, column + length) of the current row.
  void runChunk(int64_t column, int64_t length) {
    for (int32_t i = 0; i < level.numInputs; ++i)
      access(i, column, length);
    if (level.streamsItself)
      return runStreamed(column, length);
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        outputs[i] =
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
    char *place = placeOf(output, column);
    int64_t head = headOf(output, place);
    if (head) {
      runHead(head, place);
      shift(head);
    }
    int64_t strips = (length - head) / kStrip * kStrip;
    if (strips) {
      outputs[0] = place + head * output.bytes;
      callStages(strips, /*streamed=*/1);
    }
    int64_t rest = length - head - strips;
    if (rest) {
      shift(length - kStrip - head);
      runTail(place + length * output.bytes, rest);
    }
  }

  /// Elements before the first cache line that begins at or behind `place`.
  static int64_t headOf(const LevelOutput &output, const char *place) {
    return int64_t(-reinterpret_cast<uintptr_t>(place) %
                   BROADLOOM_STREAM_ALIGNMENT) /
           output.bytes;
  }

  /// The `head` elements at `place`.
  void runHead(int64_t head, char *place) {
    const LevelOutput &output = level.outputs[0];
    outputs[0] = buffers + output.buffer;
    callStages(kStrip);
    memcpy(place, outputs[0], size_t(head * output.bytes));
  }

  /// The `rest` elements that end at `end`, of a strip that ends there.
  void runTail(char *end, int64_t rest) {
    const LevelOutput &output = level.outputs[0];
    outputs[0] = buffers + output.buffer;
    callStages(kStrip);
    int64_t bytes = rest * output.bytes;
    streamCopy(end - bytes, outputs[0] + kStrip * output.bytes - bytes, bytes);
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
    return output.data + (cursor.rowStart + column) * output.bytes;
  }

  void access(int32_t i, int64_t column, int64_t length) {
    const LevelInput &input = level.inputs[i];
    Staged &state = staged[i];
    const Walk &walk = input.walk;
    char *buffer = buffers + input.buffer;
    switch (input.access) {
    case Access::Scalar:
      return;
    case Access::Whole:
      places[i] = const_cast<char *>(walk.base) +
                  (cursor.rowStart + column) * walk.bytes;
      return;
    case Access::Row:
      places[i] = const_cast<char *>(walk.base) +
                  (cursor.rowOffsets[i] + column) * walk.bytes;
      return;
    case Access::RowSplat:
      if (!holds(state, cursor.rowOffsets[i], 1))
        fillSplat(buffer, walk.base + cursor.rowOffsets[i] * walk.bytes, kStrip,
                  walk.bytes);
      return;
    case Access::RowGather: {
      int64_t stride = walk.strides[walk.rank - 1];
      int64_t offset = cursor.rowOffsets[i] + column * stride;
      if (!holds(state, offset, length))
        fillStrided(buffer, walk.base + offset * walk.bytes, stride, length,
                    walk.bytes);
      places[i] = buffer;
      return;
    }
    case Access::Block:
      places[i] = buffer + bandRow * blockPitch(level) * walk.bytes;
      return;
    case Access::Repeat:
      places[i] = repeatAt(input, column);
      return;
    case Access::Pattern: {
      int64_t begin = column % walk.period;
      if (!holds(state, begin, length))
        fillWalk(buffer, walk, begin, length);
      places[i] = buffer;
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
        places[i] += elements * input.walk.bytes;
    }
    for (int32_t i = 0; i < level.numOutputs; ++i)
      if (const LevelOutput &output = level.outputs[i]; output.data)
        outputs[i] += elements * output.bytes;
  }

  void callStages(int64_t elements, int32_t streamed = 0) {
    if (onlyStage)
      return onlyStage->kernel(asKernelInputs(places),
                               reinterpret_cast<void **>(outputs), steps,
                               elements, streamed);
    for (int32_t i = 0; i < level.numStages; ++i) {
      int32_t number = level.stages[i];
      const BroadloomStage &stage = level.program->stages[number];
      for (int32_t k = 0; k < stage.numInputs; ++k) {
        stageInputs[k] = places[numbers[stage.inputs[k]]];
        stageSteps[k] = steps[numbers[stage.inputs[k]]];
      }
      for (int32_t k = 0; k < stage.numOutputs; ++k)
        stageOutputs[k] = places[numbers[level.firstOutputs[number] + k]];
      stage.kernel(asKernelInputs(stageInputs),
                   reinterpret_cast<void **>(stageOutputs), stageSteps,
                   elements, streamed);
    }
  }

  static const void **asKernelInputs(char **pointers) {
    return const_cast<const void **>(reinterpret_cast<void **>(pointers));
  }

  const Level &level;
  char *buffers;
  Staged *staged;
  LevelCursor cursor;
  /// The current row within its band.
  int64_t bandRow = 0;
  /// Where each input, and then each output, is for the current chunk, and how
  /// far on it is for the next strip.
  char **places;
  char **outputs;
  int64_t *steps;
  /// The only stage, if its inputs and outputs are the level's, in that order.
  const BroadloomStage *onlyStage = nullptr;
  /// Else the place of each value, and what one stage is given.
  int64_t *numbers;
  int64_t *stageSteps;
  char **stageInputs;
  char **stageOutputs;
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
