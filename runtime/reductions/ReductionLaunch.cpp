//===- ReductionLaunch.cpp - programs over rows ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/reductions/ReductionLaunch.h"

#include "runtime/calls/Descriptor.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/StridedCopy.h"
#include "shape/Formula.h"
#include "shape/Message.h"

#include <algorithm>

using namespace broadloom;

const BroadloomProgram &ReductionLaunch::choose(const BroadloomProgram &program,
                                                const BroadloomView *operands) {
  const BroadloomReduction &rows = *program.rows;
  for (int32_t i = 0; i < program.numOperands && rows.narrow; ++i) {
    if (!(rows.narrowOperands >> i & 1))
      continue;
    const int64_t *extents = descriptorOf(operands[i]).dims;
    int64_t missing = rows.rank - operands[i].rank;
    for (int64_t axis = 0; axis < operands[i].rank; ++axis)
      if (missing + axis >= 0 && (rows.reduced >> (missing + axis) & 1) &&
          extents[axis] != 1)
        return program;
  }
  return rows.narrow ? *rows.narrow : program;
}

bool ReductionLaunch::makeTables() {
  known = arena.array<Known>(program.numValues);
  firstValues = arena.array<int32_t>(program.numStages);
  resultData = arena.array<char *>(program.numResults);
  int64_t *numbers =
      arena.array<int64_t>(2 * int64_t(program.numValues) * rows.rank);
  if (!known || !firstValues || !resultData || !numbers)
    return false;
  for (int32_t i = 0; i < program.numValues; ++i) {
    known[i] = Known{nullptr, numbers, numbers + rows.rank, false};
    numbers += 2 * rows.rank;
  }
  int32_t next = program.numOperands;
  for (int32_t i = 0; i < program.numStages; ++i) {
    firstValues[i] = next;
    next += rows.stages[i].numOutputs + rows.stages[i].numReductions;
  }
  return true;
}

int32_t ReductionLaunch::describeOperands() {
  for (int32_t i = 0; i < program.numOperands; ++i) {
    const BroadloomDescriptor &descriptor = descriptorOf(operands[i]);
    int64_t rank = operands[i].rank, missing = rows.rank - rank;
    if (missing < 0)
      return call.fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return "an operand of rank " + std::to_string(rank) +
               " is wider than the space of rank " + std::to_string(rows.rank) +
               " of its launch";
      });
    known[i].data = elementsOf(operands[i], rows.values[i].bytes);
    for (int64_t axis = 0; axis < rows.rank; ++axis) {
      int64_t extent = axis < missing ? 1 : descriptor.dims[axis - missing];
      known[i].extents[axis] = extent;
      known[i].strides[axis] =
          extent == 1 ? 0 : descriptor.dims[rank + axis - missing];
    }
  }
  return BROADLOOM_OK;
}

/// The broadcast of the operands in these bit sets along the kept and along the
/// reduced axes (bcast-4).
int32_t ReductionLaunch::extentsOf(uint64_t kept, uint64_t reduced,
                                   int64_t *extents) {
  for (int32_t axis = 0; axis < rows.rank; ++axis) {
    int64_t extent = 1;
    uint64_t relevant = isReduced(axis) ? reduced : kept;
    for (int32_t i = 0; i < program.numOperands; ++i) {
      if (!(relevant >> i & 1))
        continue;
      int64_t next = known[i].extents[axis];
      int64_t joined = broadcastExtents(extent, next);
      if (joined < 0) {
        int64_t met[] = {extent, next};
        return call.fail(
            BROADLOOM_GUARD_FAILED,
            [&] {
              return describeExtents(axis, std::to_string(extent),
                                     std::to_string(next));
            },
            nullptr, met, 2, axis);
      }
      extent = joined;
    }
    extents[axis] = extent;
  }
  return BROADLOOM_OK;
}

int32_t ReductionLaunch::extentsOf(int32_t value, int64_t *extents) {
  return extentsOf(rows.values[value].operands, rows.values[value].direct,
                   extents);
}

/// The extents that a reduction reduces.
int32_t ReductionLaunch::domainOf(int32_t stage, int32_t reduce,
                                  int64_t *extents) {
  const BroadloomReductionStage &it = rows.stages[stage];
  return extentsOf(
      rows.values[firstValues[stage] + it.numOutputs + reduce].operands,
      it.reductions[reduce].domain, extents);
}

/// The stage that computes `value`, which is no operand.
int32_t ReductionLaunch::findStage(int32_t value) const {
  int32_t stage = program.numStages - 1;
  while (firstValues[stage] > value)
    --stage;
  return stage;
}

/// Whether `value` is computed from operands alone, and not by a reduction.
bool ReductionLaunch::canRunAlone(int32_t value) const {
  if (value < program.numOperands)
    return false;
  int32_t number = findStage(value);
  const BroadloomReductionStage &stage = rows.stages[number];
  return value - firstValues[number] < stage.numOutputs &&
         std::all_of(
             stage.inputs, stage.inputs + stage.numInputs,
             [&](int32_t id) { return id < program.numOperands; });
}

/// Computes the extents of all results. `even`: whether these and all reduced
/// values have the extents of one space, which is then `space`; results that
/// can run alone may have others.
int32_t ReductionLaunch::isEven(int64_t *space, bool &even) {
  std::fill(space, space + rows.rank, int64_t(-1));
  int64_t *own = arena.array<int64_t>(rows.rank);
  if (!own)
    return call.failMemory();
  even = true;
  auto fits = [&](const int64_t *extents, bool perRow) {
    bool isSame = true;
    for (int32_t axis = 0; axis < rows.rank; ++axis) {
      if (perRow && isReduced(axis)) {
        isSame &= extents[axis] == 1;
        continue;
      }
      if (space[axis] < 0)
        space[axis] = extents[axis];
      isSame &= space[axis] == extents[axis];
    }
    return isSame;
  };
  for (int32_t i = 0; i < program.numStages; ++i)
    for (int32_t k = 0; k < rows.stages[i].numReductions; ++k) {
      if (int32_t status = domainOf(i, k, own))
        return status;
      even &= fits(own, false);
    }
  for (int32_t i = 0; i < program.numResults; ++i) {
    int32_t id = program.results[i];
    if (int32_t status = extentsOf(id, known[id].extents))
      return status;
    bool isSame = fits(known[id].extents, rows.values[id].perRow);
    known[id].isAlone = !isSame && canRunAlone(id);
    even &= isSame || known[id].isAlone;
  }
  // Nothing is reduced, and every result has one element per row.
  std::replace(space, space + rows.rank, int64_t(-1), int64_t(1));
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

int32_t ReductionLaunch::makeResult(int32_t index, BroadloomView &result,
                                    int32_t slot, int32_t value) {
  int64_t rank = rows.rank;
  int64_t *extents = known[value].extents;
  char *data;
  if (int32_t status =
          call.makeResult(result, targetOf(program, operands, slot),
                          rows.values[value].bytes, rank, extents, data))
    return status;
  // Several results may be one value, which is computed in the memory of the
  // first.
  if (!known[value].data) {
    known[value].data = data;
    rowMajorStrides(extents, rank, known[value].strides);
  }
  resultData[index] = data;
  return BROADLOOM_OK;
}

/// Copies results whose value is in another result's memory.
int32_t ReductionLaunch::copyResults() {
  for (int32_t i = 0; i < program.numResults; ++i) {
    const Known &value = known[program.results[i]];
    if (resultData[i] == value.data)
      continue;
    if (!copyStrided(arena, call.threads(), value.extents, rows.rank,
                     rows.values[program.results[i]].bytes,
                     {resultData[i], value.strides},
                     {value.data, value.strides}, call.cancellation()))
      return call.failMemory();
  }
  return call.checkCancelled();
}
