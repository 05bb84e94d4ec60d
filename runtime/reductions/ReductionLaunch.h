//===- ReductionLaunch.h - one run of a program over rows -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one broadloomLaunch of a program over rows. A program is
// compiled for the case that all reduced values and all results have the
// extents of one iteration space. With dynamic extents that is not certain: a
// weight may be longer than a row of one element. The values are then computed
// one by one, each over its own extents.
//
// Whether an operand has one element per row is also known only from the
// extents of the call. If the operands that are likely to have one do, a
// program runs that was compiled for this case.
//
// Invariant: the results are the same in all cases.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONLAUNCH_H
#define BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONLAUNCH_H

#include "runtime/calls/Call.h"
#include "runtime/reductions/ReductionRun.h"

namespace broadloom {

class ReductionLaunch {
public:
  ReductionLaunch(BroadloomCall &call, const BroadloomProgram &program,
                  const BroadloomView *operands)
      : call(call), arena(call.arena()), program(choose(program, operands)),
        rows(*this->program.rows), operands(operands) {}

  int32_t run(BroadloomView *results, const int32_t *slots);

private:
  /// A value in memory: its own extents, or null if it is not in memory, and
  /// its strides over the program's axes.
  struct Known {
    char *data;
    int64_t *extents;
    int64_t *strides;
    /// Whether it is computed by a run of its own, over its own extents.
    bool isAlone;
  };

  /// `program`, or its version for operands that have one element per row.
  static const BroadloomProgram &choose(const BroadloomProgram &program,
                                        const BroadloomView *operands);
  bool makeTables();
  int32_t describeOperands();
  int32_t extentsOf(uint64_t kept, uint64_t reduced, int64_t *extents);
  int32_t extentsOf(int32_t value, int64_t *extents);
  int32_t domainOf(int32_t stage, int32_t reduce, int64_t *extents);
  int32_t isEven(int64_t *space, bool &even);
  int32_t findStage(int32_t value) const;
  bool canRunAlone(int32_t value) const;
  int32_t runAlone();
  int32_t makeResult(int32_t index, BroadloomView &result, int32_t slot,
                     int32_t value);
  int32_t runTogether(const int64_t *space);
  int32_t runApart();
  int32_t runOne(int32_t stage, int32_t value, const int64_t *space);
  int32_t store(int32_t value);
  void useInput(ReductionRun &run, int32_t value, const int64_t *space);
  void useOutput(ReductionRun &run, int32_t value, bool isStored);
  bool makeRun(ReductionRun &run, int32_t firstStage, int32_t endStage);
  bool dealAxes(ReductionRun &run, const int64_t *space, bool reduced);
  ReductionOrder orderOf(const ReductionRun &run, const int64_t *space) const;
  int32_t runSpace(ReductionRun &run, const int64_t *space);
  int32_t copyResults();
  bool isReduced(int32_t axis) const { return rows.reduced >> axis & 1; }

  BroadloomCall &call;
  Arena &arena;
  const BroadloomProgram &program;
  const BroadloomReduction &rows;
  const BroadloomView *operands;
  Known *known = nullptr;
  int32_t *firstValues = nullptr;
  char **resultData = nullptr;
  char zeros[8] = {};
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONLAUNCH_H
