//===- ReductionMover.h - rows between memory and buffers -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies rows of a run, or blocks of rows, from memory to buffers and back.
// Invariant: only the elements of the rows are read or written in a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONMOVER_H
#define BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONMOVER_H

#include "runtime/memory/ArrayLayout.h"
#include "runtime/reductions/ReductionRun.h"

namespace broadloom {

class ReductionMover {
public:
  ReductionMover(const ReductionRun &run, ArrayLayout &layout)
      : run(run), index(layout.take<int64_t>(run.keptRank)),
        reducedIndex(layout.take<int64_t>(run.reducedRank)) {}

  /// The offset of a value's element in row `row`, in elements.
  int64_t offsetOf(const ReductionValue &value, int64_t row);

  /// Where a buffer has the elements of rows: the elements of a row are `step`
  /// elements apart, and the rows `lane`. One of the two is 1.
  struct Pitches {
    int64_t step, lane;
  };

  /// Copies the elements of `count` rows from `row` on to a buffer.
  void gather(const ReductionValue &value, char *to, Pitches pitches,
              int64_t row, int64_t count);

  /// The same for steps [first, first + steps) alone, if one axis is reduced;
  /// steps are `pitch` apart in the buffer, and the rows are consecutive.
  void gatherSteps(const ReductionValue &value, char *to, int64_t pitch,
                   int64_t row, int64_t count, int64_t first, int64_t steps);

  /// The reverse copy. The target is consecutive along one of the innermost
  /// axes.
  void scatter(const ReductionValue &value, const char *from, Pitches pitches,
               int64_t row, int64_t count);

  /// Copies one element for each of `count` rows from `row` on.
  void gatherPerRow(const ReductionValue &value, char *to, int64_t row,
                    int64_t count);

  /// The stride of rows along the innermost kept axis, and of elements of a row
  /// along the innermost reduced one.
  int64_t strideAcross(const ReductionValue &value) const {
    return run.keptRank ? value.kept[run.keptRank - 1] : 0;
  }
  int64_t strideAlong(const ReductionValue &value) const {
    return run.reducedRank ? value.reduced[run.reducedRank - 1] : 0;
  }

private:
  template <typename Move>
  void forPieces(const ReductionValue &value, int64_t row, int64_t count,
                 Move move);

  const ReductionRun &run;
  /// The index of the row of the last call of offsetOf, along each kept axis.
  int64_t *index;
  int64_t *reducedIndex;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONMOVER_H
