//===- LevelFlat.cpp - everything moves on by as much ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/LevelWorker.h"

#include <algorithm>

using namespace broadloom;

/// Moves all values to element `at`.
void LevelWorker::setFlat(int64_t at) {
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    const Walk &walk = input.walk;
    if (input.access == Access::Whole)
      bases[i] = const_cast<char *>(walk.base) + at * walk.bytes;
    else if (input.access == Access::Repeat)
      bases[i] = repeatAt(input, at);
  }
  for (int32_t i = 0; i < level.numOutputs; ++i)
    outputs[i] = level.outputs[i].data + at * level.outputs[i].bytes;
}

void LevelWorker::runFlat(int64_t begin, int64_t end) {
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

/// Moves all values to the current row. Returns how many inputs have one
/// element per row.
int32_t LevelWorker::setRow() {
  int32_t axis = level.rank - 2, numSplats = 0;
  int64_t pitch = cursor.resultStrides[axis],
          outputPitch = cursor.outputStrides[axis];
  int64_t tail = level.rowLength % kStrip ? level.rowLength - kStrip : 0;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    const Walk &walk = input.walk;
    bool whole = input.access == Access::Whole;
    const char *from =
        walk.base +
        (whole ? cursor.rowStart : cursor.rowOffsets[i]) * walk.bytes;
    int64_t step = (whole ? pitch : walk.strides[axis]) * walk.bytes;
    rowSteps[i] = tailSteps[i] = 0;
    if (input.access == Access::RowSplat) {
      splats[numSplats++] = Splat{&input, from, step};
    } else if (input.access != Access::Scalar) {
      bases[i] = const_cast<char *>(from);
      tailSteps[i] = tail * walk.bytes;
      rowSteps[i] = step - tailSteps[i];
    }
  }
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    const LevelOutput &output = level.outputs[i];
    int64_t bytes = output.data ? output.bytes : 0;
    tailSteps[level.numInputs + i] = tail * bytes;
    rowSteps[level.numInputs + i] = (outputPitch - tail) * bytes;
    if (output.data)
      outputs[i] = addressOf(output, 0);
  }
  return numSplats;
}

void LevelWorker::runRows(int64_t begin, int64_t end) {
  int32_t axis = level.rank - 2, numBases = level.numInputs + level.numOutputs;
  int64_t length = level.rowLength, strips = length / kStrip * kStrip;
  cursor.moveTo(begin);
  for (;;) {
    int64_t rows =
        std::min(end - begin, level.extents[axis] - cursor.index[axis]);
    int32_t numSplats = setRow();
    for (int64_t row = 0; row < rows; ++row) {
      for (int32_t k = 0; k < numSplats; ++k) {
        Splat &splat = splats[k];
        fillSplat(buffers + splat.input->buffer, splat.from, kStrip,
                  splat.input->walk.bytes);
        splat.from += splat.step;
      }
      callStages(strips);
      if (strips != length) {
        // As in a chunk: the last elements as part of a whole strip.
        for (int32_t i = 0; i < numBases; ++i)
          bases[i] += tailSteps[i];
        callStages(kStrip);
      }
      for (int32_t i = 0; i < numBases; ++i)
        bases[i] += rowSteps[i];
    }
    begin += rows;
    if (begin == end)
      return;
    cursor.index[axis] += rows - 1;
    cursor.moveAlong(axis, rows - 1);
    cursor.moveOn();
  }
}
