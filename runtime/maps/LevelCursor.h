//===- LevelCursor.h - the current row of a level ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The position of a thread in the rows, or bands of rows, of a level, which it
// visits in order.
//
// Invariant: `rowStart`, `outputStart` and `rowOffsets` are those of the
// current row.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MAPS_LEVELCURSOR_H
#define BROADLOOM_RUNTIME_MAPS_LEVELCURSOR_H

#include "runtime/maps/Level.h"
#include "runtime/memory/ArrayLayout.h"

namespace broadloom {

struct LevelCursor {
  const Level &level;
  /// The index of the current row or band along each outer axis.
  int64_t *index;
  int64_t *resultStrides;
  /// The number of the current row's first element, and its offset in each
  /// input.
  int64_t rowStart = 0;
  int64_t *rowOffsets;
  /// The offset of the row's first element in stored outputs.
  int64_t outputStart = 0;
  const int64_t *outputStrides = nullptr;

  LevelCursor(const Level &level, ArrayLayout &layout)
      : level(level), index(layout.take<int64_t>(level.rank)),
        resultStrides(layout.take<int64_t>(level.rank)),
        rowOffsets(layout.take<int64_t>(level.numInputs)) {}

  /// Moves to the first row.
  void start() {
    rowMajorStrides(level.extents, level.rank, resultStrides);
    for (int32_t i = 0; i < level.numInputs; ++i)
      rowOffsets[i] = 0;
    rowStart = outputStart = 0;
    outputStrides = level.outputStrides ? level.outputStrides : resultStrides;
  }

  /// Moves from the first row to row `number`, or to the first row of band
  /// `number`.
  void moveTo(int64_t number) {
    for (int32_t axis = level.rank - 2; axis >= 0; --axis) {
      int64_t steps = stepsAlong(level, axis);
      index[axis] = number % steps;
      number /= steps;
      moveAlong(axis, index[axis] * rowsPerStep(axis));
    }
  }

  /// Moves to the next row, or to the first one of the next band.
  void moveOn() {
    int32_t axis = level.rank - 2;
    for (;; --axis) {
      if (++index[axis] < stepsAlong(level, axis) || axis == 0)
        return moveAlong(axis, rowsPerStep(axis));
      moveAlong(axis, (1 - index[axis]) * rowsPerStep(axis));
      index[axis] = 0;
    }
  }

  void moveAlong(int32_t axis, int64_t rows) {
    rowStart += rows * resultStrides[axis];
    outputStart += rows * outputStrides[axis];
    for (int32_t i = 0; i < level.numInputs; ++i)
      rowOffsets[i] += rows * level.inputs[i].walk.strides[axis];
  }

  /// Rows of the current band.
  int64_t rowsInBand() const {
    int64_t extent = level.extents[level.bandAxis];
    int64_t left = extent - index[level.bandAxis] * level.bandRows;
    return left < level.bandRows ? left : level.bandRows;
  }

private:
  int64_t rowsPerStep(int32_t axis) const {
    return axis == level.bandAxis ? level.bandRows : 1;
  }
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MAPS_LEVELCURSOR_H
