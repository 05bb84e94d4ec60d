//===- ReductionLaunchRuns.cpp - the runs of a program over rows ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/reductions/ReductionLaunch.h"

#include "runtime/calls/Descriptor.h"
#include "runtime/memory/Space.h"

#include <algorithm>

using namespace broadloom;

/// Describes a value that a run reads from memory. The value is repeated along
/// an axis on which its extent differs from the space's. If that extent is not
/// 1, no result depends on the value.
void ReductionLaunch::useInput(ReductionRun &run, int32_t id,
                               const int64_t *space) {
  ReductionValue &value = run.values[id];
  value.access = ReductionAccess::Buffered;
  value.bytes = rows.values[id].bytes;
  value.perRow = rows.values[id].perRow;
  value.data = known[id].data;
  for (int32_t axis = 0; axis < rows.rank; ++axis) {
    if (known[id].extents[axis] == 0 && space[axis] != 0)
      value.data = zeros;
    if (known[id].extents[axis] != space[axis])
      value.strides[axis] = 0;
    else
      value.strides[axis] = known[id].strides[axis];
  }
  if (value.data == zeros)
    std::fill(value.strides, value.strides + rows.rank, int64_t(0));
}

void ReductionLaunch::useOutput(ReductionRun &run, int32_t id, bool isStored) {
  ReductionValue &value = run.values[id];
  value.access = ReductionAccess::Buffered;
  value.bytes = rows.values[id].bytes;
  value.perRow = rows.values[id].perRow;
  value.computed = true;
  value.data = isStored ? known[id].data : nullptr;
  for (int32_t axis = 0; axis < rows.rank; ++axis)
    value.strides[axis] =
        !isStored || known[id].extents[axis] == 1 ? 0 : known[id].strides[axis];
}

/// Sets the strides of the values in memory over the reduced axes, or over the
/// kept ones, and merges neighbours if all values allow it.
bool ReductionLaunch::dealAxes(ReductionRun &run, const int64_t *space,
                               bool reduced) {
  Space axes;
  axes.pitch = rows.rank;
  axes.extents = arena.array<int64_t>(rows.rank);
  axes.strides = arena.array<int64_t>(int64_t(program.numValues) * rows.rank);
  if (!axes.extents || !axes.strides)
    return false;
  for (int32_t axis = 0; axis < rows.rank; ++axis)
    if (isReduced(axis) == reduced)
      axes.extents[axes.rank++] = space[axis];
  for (int32_t i = 0; i < program.numValues; ++i) {
    ReductionValue &value = run.values[i];
    if (value.access == ReductionAccess::None || !value.data)
      continue;
    int64_t *own = axes.stridesOf(axes.numOperands++);
    (reduced ? value.reduced : value.kept) = own;
    for (int32_t axis = 0; axis < rows.rank; ++axis)
      if (isReduced(axis) == reduced)
        *own++ = value.strides[axis];
  }
  coalesce(axes);
  (reduced ? run.reducedRank : run.keptRank) = axes.rank;
  (reduced ? run.reducedExtents : run.keptExtents) = axes.extents;
  return true;
}

/// The order in which the stages of `run` reduce elements of `space`.
ReductionOrder ReductionLaunch::orderOf(const ReductionRun &run,
                                        const int64_t *space) const {
  if (std::none_of(rows.stages + run.firstStage, rows.stages + run.endStage,
                   hasOrder))
    return ReductionOrder::Any;
  int32_t axis = rows.rank - 1;
  while (axis > 0 && space[axis] == 1)
    --axis;
  return chooseOrder(run.rows, run.length, axis >= 0 && isReduced(axis));
}

/// Runs the stages of `run` over `space`, on values that are set.
int32_t ReductionLaunch::runSpace(ReductionRun &run, const int64_t *space) {
  int64_t numRows = 1, length = 1, all = 0;
  for (int32_t axis = 0; axis < rows.rank; ++axis) {
    int64_t &count = isReduced(axis) ? length : numRows;
    if (space[axis] < 0 || __builtin_mul_overflow(count, space[axis], &count))
      return call.failMemory(space, rows.rank, 1);
  }
  if (numRows == 0)
    return BROADLOOM_OK;
  // The sizes of buffers for rows of a few values must not overflow either.
  if (__builtin_mul_overflow(numRows, length, &all) || all > INT64_MAX >> 16)
    return call.failMemory(space, rows.rank, 1);
  run.rows = numRows;
  run.length = length;
  if (length == 0)
    run.reducedRank = 0;
  if (!dealAxes(run, space, false) ||
      (length != 0 && !dealAxes(run, space, true)))
    return call.failMemory();
  for (int32_t i = 0; i < program.numValues; ++i) {
    ReductionValue &value = run.values[i];
    if (value.access == ReductionAccess::None || !value.data)
      continue;
    auto isZero = [](int64_t stride) { return stride == 0; };
    value.sameInAllRows =
        std::all_of(value.kept, value.kept + run.keptRank, isZero);
    value.sameInRow =
        std::all_of(value.reduced, value.reduced + run.reducedRank, isZero);
  }
  for (int32_t i = run.firstStage; i < run.endStage; ++i) {
    int64_t count = rows.stages[i].perRow ? numRows : all;
    call.countOperations(rows.stages[i].operations * count);
    call.countReduced(rows.stages[i].numReductions * count);
    for (int32_t k = 0; k < rows.stages[i].numInputs; ++k)
      run.values[rows.stages[i].inputs[k]].lastReader = i;
  }
  run.order = orderOf(run, space);
  planReduction(run, call.threads());
  return broadloom::runReduction(run, arena) ? BROADLOOM_OK : call.failMemory();
}

/// Prepares a run of stages whose values are set later.
bool ReductionLaunch::makeRun(ReductionRun &run, int32_t firstStage,
                              int32_t endStage) {
  run.program = &program;
  run.firstStage = firstStage;
  run.endStage = endStage;
  run.firstValues = firstValues;
  run.values = arena.array<ReductionValue>(program.numValues);
  int64_t *strides =
      arena.array<int64_t>(int64_t(program.numValues) * rows.rank);
  if (!run.values || !strides)
    return false;
  for (int32_t i = 0; i < program.numValues; ++i) {
    run.values[i] = ReductionValue();
    run.values[i].strides = strides + int64_t(i) * rows.rank;
  }
  return true;
}

/// Runs all stages over one space.
int32_t ReductionLaunch::runTogether(const int64_t *space) {
  ReductionRun run;
  if (!makeRun(run, 0, program.numStages))
    return call.failMemory();
  for (int32_t i = 0; i < program.numOperands; ++i)
    useInput(run, i, space);
  for (int32_t i = program.numOperands; i < program.numValues; ++i)
    useOutput(run, i, known[i].data != nullptr && !known[i].isAlone);
  return runSpace(run, space);
}

/// Computes the results whose extents are not those of the common space.
int32_t ReductionLaunch::runAlone() {
  for (int32_t id = program.numOperands; id < program.numValues; ++id) {
    if (!known[id].isAlone)
      continue;
    Arena::Mark mark = arena.mark();
    if (int32_t status = runOne(findStage(id), id, known[id].extents))
      return status;
    arena.rewind(mark);
  }
  return BROADLOOM_OK;
}

/// Computes one value over its own extents.
int32_t ReductionLaunch::runOne(int32_t stage, int32_t id,
                                const int64_t *space) {
  const BroadloomReductionStage &it = rows.stages[stage];
  ReductionRun run;
  if (!makeRun(run, stage, stage + 1))
    return call.failMemory();
  for (int32_t k = 0; k < it.numInputs; ++k)
    useInput(run, it.inputs[k], space);
  for (int32_t k = 0; k < it.numOutputs + it.numReductions; ++k)
    useOutput(run, firstValues[stage] + k, firstValues[stage] + k == id);
  return runSpace(run, space);
}

/// Allocates memory for a value that is not a result.
int32_t ReductionLaunch::store(int32_t id) {
  Known &value = known[id];
  if (value.data)
    return BROADLOOM_OK;
  if (int32_t status = extentsOf(id, value.extents))
    return status;
  rowMajorStrides(value.extents, rows.rank, value.strides);
  int64_t count = countElements(value.extents, rows.rank), bytes;
  if (count < 0 || __builtin_mul_overflow(count, rows.values[id].bytes, &bytes))
    return call.failMemory(value.extents, rows.rank, rows.values[id].bytes);
  value.data = static_cast<char *>(arena.allocate(bytes));
  return value.data
             ? int32_t(BROADLOOM_OK)
             : call.failMemory(value.extents, rows.rank, rows.values[id].bytes);
}

int32_t ReductionLaunch::runApart() {
  int64_t *space = arena.array<int64_t>(rows.rank);
  if (!space)
    return call.failMemory();
  for (int32_t i = 0; i < program.numStages; ++i) {
    const BroadloomReductionStage &stage = rows.stages[i];
    for (int32_t k = 0; k < stage.numOutputs + stage.numReductions; ++k) {
      int32_t id = firstValues[i] + k;
      if (int32_t status = store(id))
        return status;
      Arena::Mark mark = arena.mark();
      int32_t status = k < stage.numOutputs
                           ? extentsOf(id, space)
                           : domainOf(i, k - stage.numOutputs, space);
      if (!status)
        status = runOne(i, id, space);
      if (status)
        return status;
      arena.rewind(mark);
    }
  }
  return BROADLOOM_OK;
}

int32_t ReductionLaunch::run(BroadloomView *results, const int32_t *slots) {
  if (!makeTables())
    return call.failMemory();
  if (int32_t status = describeOperands())
    return status;
  int64_t *space = arena.array<int64_t>(rows.rank);
  bool even;
  if (!space)
    return call.failMemory();
  if (int32_t status = isEven(space, even))
    return status;
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status =
            makeResult(i, results[i], slots[i], program.results[i]))
      return status;
  Arena::Mark mark = arena.mark();
  int32_t status = even ? runTogether(space) : runApart();
  if (!status && even)
    status = runAlone();
  if (!status)
    status = copyResults();
  arena.rewind(mark);
  return status;
}
