//===- LevelChunks.cpp - chunks of rows and bands -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/LevelWorker.h"
#include "runtime/memory/Block.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Stream.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

void LevelWorker::runChunks(int64_t begin, int64_t end) {
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

/// Runs the same chunk of all rows of the current band.
void LevelWorker::runBand(int64_t column, int64_t length) {
  int32_t axis = level.bandAxis;
  int64_t rows = cursor.rowsInBand();
  int64_t pitch = blockPitch(level.capacity);
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

/// Runs elements [column, column + length) of the current row.
void LevelWorker::runChunk(int64_t column, int64_t length) {
  for (int32_t i = 0; i < level.numInputs; ++i)
    access(i, column, length);
  if (level.streamsItself)
    return runStreamed(column, length);
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (const LevelOutput &output = level.outputs[i]; output.data)
      outputs[i] =
          output.staged ? buffers + output.buffer : addressOf(output, column);
  int64_t strips = length / kStrip * kStrip;
  callStages(strips);
  if (strips != length) {
    // Computes the last elements again as part of a whole strip. Outputs do not
    // overlap inputs, so that both computations give the same.
    shift(length - kStrip);
    callStages(kStrip);
  }
  if (level.staging)
    copyStaged(column, length);
}

/// Runs a chunk whose kernel streams. Its ends go through the buffer, in whole
/// strips, which computes some elements twice with the same result.
void LevelWorker::runStreamed(int64_t column, int64_t length) {
  const LevelOutput &output = level.outputs[0];
  char *to = addressOf(output, column);
  int64_t head = headOf(output, to);
  if (head) {
    runHead(head, to);
    shift(head);
  }
  int64_t strips = (length - head) / kStrip * kStrip;
  if (strips) {
    outputs[0] = to + head * output.bytes;
    callStages(strips, /*streamed=*/1);
  }
  int64_t rest = length - head - strips;
  if (rest) {
    shift(length - kStrip - head);
    runTail(to + length * output.bytes, rest);
  }
}

/// Copies a computed chunk to its memory: the operand over which it may be
/// written is not read again there.
void LevelWorker::copyStaged(int64_t column, int64_t length) {
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    const LevelOutput &output = level.outputs[i];
    if (!output.staged)
      continue;
    char *to = addressOf(output, column);
    int64_t bytes = length * output.bytes;
    if (level.streams)
      streamCopy(to, buffers + output.buffer, bytes);
    else
      memcpy(to, buffers + output.buffer, size_t(bytes));
  }
}

void LevelWorker::access(int32_t i, int64_t column, int64_t length) {
  const LevelInput &input = level.inputs[i];
  Staged &state = staged[i];
  const Walk &walk = input.walk;
  char *buffer = buffers + input.buffer;
  switch (input.access) {
  case Access::Scalar:
    return;
  case Access::Whole:
    bases[i] =
        const_cast<char *>(walk.base) + (cursor.rowStart + column) * walk.bytes;
    return;
  case Access::Row:
    bases[i] = const_cast<char *>(walk.base) +
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
    bases[i] = buffer;
    return;
  }
  case Access::Block:
    bases[i] = buffer + bandRow * blockPitch(level.capacity) * walk.bytes;
    return;
  case Access::Repeat:
    bases[i] = repeatAt(input, column);
    return;
  case Access::Pattern: {
    int64_t begin = column % walk.period;
    if (!holds(state, begin, length))
      fillWalk(buffer, walk, begin, length);
    bases[i] = buffer;
    return;
  }
  }
}

/// Whether a buffer already has the `length` elements of `key`. Marks it as
/// having them.
bool LevelWorker::holds(Staged &state, int64_t key, int64_t length) {
  if (state.key == key && state.filled >= length)
    return true;
  state.key = key;
  state.filled = length;
  return false;
}
