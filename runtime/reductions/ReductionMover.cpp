//===- ReductionMover.cpp - rows between memory and buffers ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/reductions/ReductionMover.h"

#include "runtime/memory/Block.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/Rows.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

int64_t ReductionMover::offsetOf(const ReductionValue &value, int64_t row) {
  int64_t offset = 0;
  for (int32_t axis = run.keptRank - 1; axis >= 0; --axis) {
    int64_t extent = run.keptExtents[axis];
    index[axis] = axis ? row % extent : row;
    row = axis ? row / extent : 0;
    offset += index[axis] * value.kept[axis];
  }
  return offset;
}

/// Advances the index along the outer axes, and the offset.
static bool advance(int64_t *index, const int64_t *extents,
                    const int64_t *strides, int32_t rank, int64_t &offset) {
  for (int32_t axis = rank - 1; axis >= 0; --axis) {
    offset += strides[axis];
    if (++index[axis] < extents[axis])
      return true;
    offset -= strides[axis] * extents[axis];
    index[axis] = 0;
  }
  return false;
}

/// Calls `move(offset, lane, lanes, step)` for each two-dimensional piece of
/// `count` rows from `row` on: `lanes` rows along the innermost kept axis, and
/// all elements along the innermost reduced one, beginning with the row's
/// element number `step`.
template <typename Move>
void ReductionMover::forPieces(const ReductionValue &value, int64_t row,
                               int64_t count, Move move) {
  int64_t kept = offsetOf(value, row);
  int32_t inner = run.keptRank - 1, outer = run.reducedRank - 1;
  for (int64_t lane = 0; lane < count;) {
    int64_t first = inner >= 0 ? index[inner] : 0;
    int64_t lanes = std::min(run.innerKept() - first, count - lane);
    std::fill(reducedIndex, reducedIndex + run.reducedRank, 0);
    int64_t offset = kept, step = 0;
    do {
      move(offset, lane, lanes, step);
      step += run.innerReduced();
    } while (outer > 0 && advance(reducedIndex, run.reducedExtents,
                                  value.reduced, outer, offset));
    lane += lanes;
    if (lane < count) {
      kept -= first * value.kept[inner];
      index[inner] = 0;
      advance(index, run.keptExtents, value.kept, inner, kept);
    }
  }
}

/// Copies a strided piece of rows and columns; the columns are consecutive in
/// the target.
static void move(char *to, int64_t toPitch, const char *from, int64_t rowStride,
                 int64_t columnStride, int64_t rows, int64_t columns,
                 int32_t bytes) {
  if (columnStride != 0 && columnStride != 1)
    return gatherBlock(to, toPitch, from, rowStride, columnStride, rows,
                       columns, bytes);
  if (columnStride == 0 && toPitch == columns)
    return splatRows(to, from, rows, columns, rowStride, bytes);
  for (int64_t row = 0; row < rows; ++row) {
    if (columnStride == 1)
      memcpy(to, from, size_t(columns * bytes));
    else
      fillSplat(to, from, columns, bytes);
    to += toPitch * bytes;
    from += rowStride * bytes;
  }
}

void ReductionMover::gather(const ReductionValue &value, char *to,
                            Pitches pitches, int64_t row, int64_t count) {
  int64_t bytes = value.bytes;
  int64_t along = strideAlong(value);
  int64_t across = strideAcross(value);
  forPieces(value, row, count,
            [&](int64_t offset, int64_t lane, int64_t lanes, int64_t step) {
              const char *from = value.data + offset * bytes;
              char *piece =
                  to + (step * pitches.step + lane * pitches.lane) * bytes;
              if (pitches.step == 1)
                move(piece, pitches.lane, from, across, along, lanes,
                     run.innerReduced(), value.bytes);
              else
                move(piece, pitches.step, from, along, across,
                     run.innerReduced(), lanes, value.bytes);
            });
}

void ReductionMover::gatherSteps(const ReductionValue &value, char *to,
                                 int64_t pitch, int64_t row, int64_t count,
                                 int64_t first, int64_t steps) {
  int64_t bytes = value.bytes;
  int64_t along = strideAlong(value);
  int64_t across = strideAcross(value);
  forPieces(value, row, count,
            [&](int64_t offset, int64_t lane, int64_t lanes, int64_t) {
              move(to + lane * bytes, pitch,
                   value.data + (offset + first * along) * bytes, along, across,
                   steps, lanes, value.bytes);
            });
}

void ReductionMover::scatter(const ReductionValue &value, const char *from,
                             Pitches pitches, int64_t row, int64_t count) {
  int64_t bytes = value.bytes;
  int64_t along = strideAlong(value);
  int64_t across = strideAcross(value);
  forPieces(value, row, count,
            [&](int64_t offset, int64_t lane, int64_t lanes, int64_t step) {
              char *to = value.data + offset * bytes;
              const char *piece =
                  from + (step * pitches.step + lane * pitches.lane) * bytes;
              if (along == 1)
                move(to, across, piece, pitches.lane, pitches.step, lanes,
                     run.innerReduced(), value.bytes);
              else
                move(to, along, piece, pitches.step, pitches.lane,
                     run.innerReduced(), lanes, value.bytes);
            });
}

void ReductionMover::gatherPerRow(const ReductionValue &value, char *to,
                                  int64_t row, int64_t count) {
  int64_t inner = strideAcross(value);
  int64_t offset = offsetOf(value, row);
  for (int64_t lane = 0; lane < count;) {
    int32_t axis = run.keptRank - 1;
    int64_t at = axis >= 0 ? index[axis] : 0;
    int64_t piece = std::min(run.innerKept() - at, count - lane);
    move(to + lane * value.bytes, 0, value.data + offset * value.bytes, 0,
         inner, 1, piece, value.bytes);
    lane += piece;
    if (lane < count)
      offset = offsetOf(value, row + lane);
  }
}
