//===- MapLaunch.cpp - programs over strips -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"

#include "runtime/memory/StridedCopy.h"

#include <algorithm>

using namespace broadloom;

int32_t MapLaunch::makeResult(BroadloomView &result, int32_t slot,
                              int32_t bytes, char *&data) {
  if (int32_t status = call.makeDescriptor(result, rank))
    return status;
  auto &descriptor = *static_cast<BroadloomDescriptor *>(result.descriptor);
  ownMemory = findOwnMemory(slot, bytes);
  hasGaps = gaps && takeGaps(descriptor, bytes);
  if (hasGaps) {
    call.temporaries().retain(descriptor.allocated);
  } else if (ownMemory) {
    call.temporaries().retain(ownMemory);
    describeRowMajor(descriptor, ownMemory, ownMemory, extents, rank);
  } else if (int32_t status =
                 call.makeMemory(descriptor, targetOf(program, operands, slot),
                                 bytes, rank, extents, count)) {
    return status;
  }
  data = static_cast<char *>(descriptor.aligned);
  if (isOffset(slot) && isOperand(data))
    ownMemory = data;
  return BROADLOOM_OK;
}

int32_t MapLaunch::makeResults(BroadloomView *results, const int32_t *slots) {
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status =
            makeResult(results[i], slots[i],
                       program.valueBytes[program.results[i]], resultData[i]))
      return status;
  return BROADLOOM_OK;
}

/// Runs levels with fewer axes first: the inputs of a level vary along a subset
/// of its axes.
int32_t MapLaunch::runLevels() {
  std::fill(stageDone, stageDone + program.numStages, false);
  for (;;) {
    int32_t first = -1;
    for (int32_t i = 0; i < program.numStages; ++i)
      if (!stageDone[i] &&
          (first < 0 || __builtin_popcountll(stageAxes[i]) <
                            __builtin_popcountll(stageAxes[first])))
        first = i;
    if (first < 0)
      return BROADLOOM_OK;
    if (int32_t status = runLevel(stageAxes[first]))
      return status;
    for (int32_t i = first; i < program.numStages; ++i)
      stageDone[i] |= stageAxes[i] == stageAxes[first];
  }
}

/// Adds a stage, and the inputs that come from outside the level.
void MapLaunch::addStage(Level &level, int32_t number) {
  const BroadloomStage &stage = program.stages[number];
  level.stages[level.numStages++] = number;
  level.stageInputs = std::max(level.stageInputs, stage.numInputs);
  level.stageOutputs = std::max(level.stageOutputs, stage.numOutputs);
  for (int32_t k = 0; k < stage.numInputs; ++k) {
    int32_t id = stage.inputs[k];
    Value &value = values[id];
    if (value.lastLevel == numLevels ||
        (id >= program.numOperands && value.axes == stageAxes[number]))
      continue;
    value.lastLevel = numLevels;
    LevelInput &input = level.inputs[level.numInputs++];
    input.value = id;
    input.access = Access::Pattern;
    input.buffer = 0;
    input.walk.base = value.data;
    input.walk.bytes = program.valueBytes[id];
  }
  for (int32_t k = 0; k < stage.numOutputs; ++k) {
    int32_t id = firstOutputs[number] + k;
    level.outputs[level.numOutputs++] =
        LevelOutput{id,
                    program.valueBytes[id],
                    values[id].stored ? values[id].data : nullptr,
                    0,
                    false,
                    ownMemory && values[id].data == ownMemory};
  }
}

/// The level's axes, and its inputs' strides over them.
bool MapLaunch::setAxes(Level &level, AxisSet axes) {
  // The only level has all axes, and they are coalesced already.
  if (axes == allAxes() && numLevels == 1) {
    level.rank = space.rank;
    level.extents = space.extents;
    level.count = count;
    for (int32_t i = 0; i < level.numInputs; ++i)
      level.inputs[i].walk.strides = stridesOf(level.inputs[i].value);
    if (hasGaps)
      level.outputStrides = gapStrides;
    return true;
  }
  // The last level writes the result.
  bool writesGaps = hasGaps && axes == allAxes();
  Space own;
  own.numOperands = level.numInputs + writesGaps;
  own.pitch = space.rank;
  own.extents = arena.array<int64_t>(space.rank);
  own.strides = arena.array<int64_t>(int64_t(own.numOperands) * space.rank);
  if (!own.extents || !own.strides)
    return false;
  level.count = 1;
  for (int32_t axis = 0; axis < space.rank; ++axis) {
    if (!(axes >> axis & 1))
      continue;
    own.extents[own.rank] = space.extents[axis];
    level.count *= space.extents[axis];
    for (int32_t i = 0; i < level.numInputs; ++i)
      own.stridesOf(i)[own.rank] = stridesOf(level.inputs[i].value)[axis];
    if (writesGaps)
      own.stridesOf(level.numInputs)[own.rank] = gapStrides[axis];
    ++own.rank;
  }
  coalesce(own);
  level.rank = own.rank;
  level.extents = own.extents;
  for (int32_t i = 0; i < level.numInputs; ++i)
    level.inputs[i].walk.strides = own.stridesOf(i);
  if (writesGaps)
    level.outputStrides = own.stridesOf(level.numInputs);
  return true;
}

int32_t MapLaunch::runLevel(AxisSet axes) {
  ++numLevels;
  Arena::Mark mark = arena.mark();
  Level level;
  level.program = &program;
  level.firstOutputs = firstOutputs;
  level.stages = arena.array<int32_t>(program.numStages);
  level.inputs = arena.array<LevelInput>(program.numValues);
  level.outputs = arena.array<LevelOutput>(program.numValues);
  if (!level.stages || !level.inputs || !level.outputs)
    return call.failMemory();
  for (int32_t i = 0; i < program.numStages; ++i)
    if (stageAxes[i] == axes)
      addStage(level, i);
  if (!setAxes(level, axes))
    return call.failMemory();
  planLevel(level, call.threads());
  for (int32_t i = 0; i < level.numStages; ++i)
    call.countOperations(program.stages[level.stages[i]].operations *
                         level.count);
  if (!broadloom::runLevel(level, arena))
    return call.failMemory();
  arena.rewind(mark);
  return BROADLOOM_OK;
}

/// Copies results whose values are stored elsewhere: operands, values of fewer
/// elements, values of several results.
int32_t MapLaunch::copyResults() {
  int64_t *target = nullptr;
  for (int32_t i = 0; i < program.numResults; ++i) {
    int32_t id = program.results[i];
    if (values[id].data == resultData[i])
      continue;
    if (!target) {
      target = arena.array<int64_t>(space.rank);
      if (!target)
        return call.failMemory();
      if (hasGaps)
        std::copy_n(gapStrides, space.rank, target);
      else
        rowMajorStrides(space.extents, space.rank, target);
    }
    if (!copyStrided(arena, call.threads(), space.extents, space.rank,
                     program.valueBytes[id], {resultData[i], target},
                     {values[id].data, stridesOf(id)}, call.cancellation()))
      return call.failMemory();
  }
  return call.checkCancelled();
}

int32_t MapLaunch::run(BroadloomView *results, const int32_t *slots) {
  for (int32_t i = 0; i < program.numValues; ++i)
    if (int32_t bytes = program.valueBytes[i];
        bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
      return call.fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return "elements of " + std::to_string(bytes) +
               " bytes are not supported";
      });
  if (!makeTables())
    return call.failMemory();
  alignOperands();
  gaps = gapsOf(program, operands, slots[0], rank);
  if (int32_t status = walkAxes())
    return status;
  if (int32_t status = makeResults(results, slots))
    return status;
  if (count == 0)
    return BROADLOOM_OK;
  // The following memory is needed during the launch only.
  Arena::Mark mark = arena.mark();
  int32_t status = BROADLOOM_OK;
  if (count <= kMostUnplanned) {
    for (int32_t i = 0; i < program.numStages; ++i)
      call.countOperations(program.stages[i].operations * count);
    status = runStrip();
    arena.rewind(mark);
    return status;
  }
  describeOperands();
  describeStages();
  status = storeEarlyValues();
  if (!status)
    status = runLevels();
  if (!status)
    status = copyResults();
  arena.rewind(mark);
  return status;
}
