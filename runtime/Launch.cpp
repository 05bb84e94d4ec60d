//===- Launch.cpp - programs over strips ----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// broadloomLaunch: the extents of everything, memory for the results, and the
// levels of the program one after another.
//
//===----------------------------------------------------------------------===//

#include "runtime/Call.h"
#include "runtime/Level.h"
#include "runtime/Space.h"
#include "runtime/StridedCopy.h"
#include "shape/Formula.h"
#include "shape/Message.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace broadloom;

namespace {

/// Set of axes of the launch's space, which has at most kMaxAxes of them.
using AxisSet = uint64_t;

/// A value of the program.
struct Value {
  /// The axes along which it varies.
  AxisSet axes;
  /// Its elements, where they are in memory as a whole; else null.
  char *data;
  /// Whether they are to be in memory as a whole.
  bool stored;
  /// Number of the level that last asked for it as an input.
  int32_t askedBy;
};

const BroadloomDescriptor &descriptorOf(const BroadloomView &view) {
  return *static_cast<const BroadloomDescriptor *>(view.descriptor);
}

class Launch {
public:
  Launch(BroadloomCall &call, const BroadloomProgram &program,
         const BroadloomView *operands)
      : call(call), arena(call.arena()), program(program), operands(operands) {}

  int32_t run(BroadloomView *results, const int32_t *slots);

private:
  bool sameShapes() const;
  int32_t broadcastOperands();
  int32_t makeResults(BroadloomView *results, const int32_t *slots);
  int32_t makeResult(BroadloomView &result, int32_t slot, int32_t bytes,
                     char *&data);
  bool makeTables(int32_t numAxes);
  int32_t describeOperands();
  void describeUniform();
  void describeBroadcast();
  void describeStages();
  int32_t storeEarlyValues();
  int32_t runLevels();
  int32_t runLevel(AxisSet axes);
  void addStage(Level &level, int32_t stage);
  bool setAxes(Level &level, AxisSet axes);
  int32_t copyResults();
  int32_t noMemory() {
    return call.fail(BROADLOOM_OUT_OF_MEMORY, "there is no memory for a call");
  }

  int64_t *stridesOf(int32_t value) {
    return strides + int64_t(value) * space.pitch;
  }
  AxisSet allAxes() const { return (AxisSet(1) << space.rank) - 1; }

  BroadloomCall &call;
  Arena &arena;
  const BroadloomProgram &program;
  const BroadloomView *operands;

  /// The broadcast of all operands.
  int64_t rank = 0;
  int64_t *extents = nullptr;
  int64_t count = 0;
  /// All operands have that shape and lie in row-major order.
  bool uniform = false;
  /// The same coalesced as far as all operands allow.
  Space space;
  /// Strides of every value over `space`; valid where the value is stored.
  int64_t *strides = nullptr;
  Value *values = nullptr;
  int32_t *firstOutputs = nullptr;
  AxisSet *stageAxes = nullptr;
  bool *stageDone = nullptr;
  char **resultData = nullptr;
  int32_t numLevels = 0;
};

/// Whether all operands have one shape, which is then that of the result.
bool Launch::sameShapes() const {
  for (int32_t i = 0; i < program.numOperands; ++i)
    if (operands[i].rank != rank ||
        !std::equal(descriptorOf(operands[i]).dims,
                    descriptorOf(operands[i]).dims + rank,
                    descriptorOf(operands[0]).dims))
      return false;
  return program.numOperands > 0;
}

int32_t Launch::broadcastOperands() {
  auto spanOf = [&](size_t i) {
    return ExtentSpan{descriptorOf(operands[i]).dims, operands[i].rank};
  };
  size_t numOperands = size_t(program.numOperands);
  rank = broadcastRank(numOperands, spanOf);
  extents = arena.array<int64_t>(rank);
  if (!extents)
    return noMemory();
  uniform = sameShapes();
  if (uniform) {
    std::copy(spanOf(0).extents, spanOf(0).extents + rank, extents);
    count = countElements(extents, rank);
    return count < 0 ? call.failMemory(extents, rank, 1) : BROADLOOM_OK;
  }
  Conflict conflict;
  if (broadcastSpans(numOperands, spanOf, extents, &conflict)) {
    count = countElements(extents, rank);
    return count < 0 ? call.failMemory(extents, rank, 1) : BROADLOOM_OK;
  }
  std::vector<ExtentSpan> spans(numOperands);
  for (size_t i = 0; i < numOperands; ++i)
    spans[i] = spanOf(i);
  int64_t met[] = {conflict.firstExtent, conflict.secondExtent};
  return call.fail(BROADLOOM_GUARD_FAILED,
                   describe(conflict, spans.data(), numOperands), nullptr, met,
                   2, int32_t(conflict.axis));
}

int32_t Launch::makeResult(BroadloomView &result, int32_t slot, int32_t bytes,
                           char *&data) {
  if (!result.descriptor) {
    result.rank = rank;
    result.descriptor =
        arena.allocate(int64_t(sizeof(BroadloomDescriptor)) + 16 * rank);
    if (!result.descriptor)
      return noMemory();
  } else if (result.rank != rank) {
    return call.fail(BROADLOOM_INVALID_ARGUMENT,
                     "a result of rank " + std::to_string(result.rank) +
                         " is expected of operands whose broadcast has rank " +
                         std::to_string(rank));
  }
  auto *descriptor = static_cast<BroadloomDescriptor *>(result.descriptor);
  int32_t status =
      broadloomAllocate(&call, slot, bytes, rank, extents, descriptor);
  if (status == BROADLOOM_OK)
    data = static_cast<char *>(descriptor->aligned);
  return status;
}

int32_t Launch::makeResults(BroadloomView *results, const int32_t *slots) {
  resultData = arena.array<char *>(program.numResults);
  if (!resultData)
    return noMemory();
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status =
            makeResult(results[i], slots[i],
                       program.valueBytes[program.results[i]], resultData[i]))
      return status;
  return BROADLOOM_OK;
}

/// Memory for all that a launch keeps of its values and stages.
bool Launch::makeTables(int32_t numAxes) {
  auto round = [](int64_t bytes) { return (bytes + 7) & ~int64_t(7); };
  int64_t extentBytes = 8 * int64_t(numAxes);
  int64_t strideBytes = 8 * int64_t(program.numValues) * numAxes;
  int64_t valueBytes = int64_t(sizeof(Value)) * program.numValues;
  int64_t axesBytes = int64_t(sizeof(AxisSet)) * program.numStages;
  int64_t outputBytes = round(4 * int64_t(program.numStages));
  char *memory = static_cast<char *>(
      arena.allocate(extentBytes + strideBytes + valueBytes + axesBytes +
                     outputBytes + program.numStages));
  if (!memory)
    return false;
  auto take = [&](auto *&table, int64_t bytes) {
    table = reinterpret_cast<std::remove_reference_t<decltype(table)>>(memory);
    memory += bytes;
  };
  take(space.extents, extentBytes);
  take(strides, strideBytes);
  take(values, valueBytes);
  take(stageAxes, axesBytes);
  take(firstOutputs, outputBytes);
  take(stageDone, program.numStages);
  space.strides = strides;
  space.pitch = numAxes;
  space.numOperands = program.numOperands;
  return true;
}

/// Operands as values: their strides over the result's axes, which are then
/// coalesced.
int32_t Launch::describeOperands() {
  for (int32_t i = 0; uniform && i < program.numOperands; ++i) {
    const int64_t *dims = descriptorOf(operands[i]).dims;
    uniform = isRowMajor(dims, dims + rank, rank);
  }
  int32_t numAxes = 1;
  if (!uniform) {
    numAxes = 0;
    for (int64_t axis = 0; axis < rank; ++axis)
      numAxes += extents[axis] != 1;
  }
  if (!makeTables(numAxes))
    return noMemory();
  for (int32_t i = 0; i < program.numOperands; ++i) {
    const BroadloomDescriptor &descriptor = descriptorOf(operands[i]);
    values[i].data = static_cast<char *>(descriptor.aligned) +
                     descriptor.offset * program.valueBytes[i];
    values[i].stored = true;
    values[i].askedBy = 0;
  }
  if (uniform)
    describeUniform();
  else
    describeBroadcast();
  return BROADLOOM_OK;
}

/// One axis, along which everything is consecutive.
void Launch::describeUniform() {
  space.rank = count == 1 ? 0 : 1;
  space.extents[0] = count;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    values[i].axes = allAxes();
    stridesOf(i)[0] = 1;
  }
}

void Launch::describeBroadcast() {
  for (int64_t axis = 0; axis < rank; ++axis)
    if (extents[axis] != 1)
      space.extents[space.rank++] = extents[axis];
  for (int32_t i = 0; i < program.numOperands; ++i) {
    int64_t missing = rank - operands[i].rank;
    const int64_t *dims = descriptorOf(operands[i]).dims - missing;
    int64_t *own = stridesOf(i);
    for (int64_t axis = 0; axis < rank; ++axis) {
      if (extents[axis] == 1)
        continue;
      bool varies = axis >= missing && dims[axis] != 1;
      *own++ = varies ? dims[operands[i].rank + axis] : 0;
    }
  }
  coalesce(space);
  for (int32_t i = 0; i < program.numOperands; ++i) {
    AxisSet axes = 0;
    for (int32_t axis = 0; axis < space.rank; ++axis)
      axes |= AxisSet(stridesOf(i)[axis] != 0) << axis;
    values[i].axes = axes;
  }
}

/// Which axes each stage's values vary along, and which of them are wanted
/// outside of their level.
void Launch::describeStages() {
  int32_t next = program.numOperands;
  for (int32_t i = 0; i < program.numStages; ++i) {
    const BroadloomStage &stage = program.stages[i];
    AxisSet axes = 0;
    for (int32_t k = 0; k < stage.numInputs; ++k)
      axes |= values[stage.inputs[k]].axes;
    for (int32_t k = 0; k < stage.numInputs; ++k)
      if (Value &input = values[stage.inputs[k]]; input.axes != axes)
        input.stored = true;
    stageAxes[i] = axes;
    firstOutputs[i] = next;
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      values[next++] = Value{axes, nullptr, false, 0};
  }
  for (int32_t i = 0; i < program.numResults; ++i) {
    Value &value = values[program.results[i]];
    if (value.stored && value.data)
      continue; // an operand, or computed into an earlier result already
    value.stored = true;
    if (value.axes == allAxes())
      value.data = resultData[i];
  }
}

/// Memory and strides for the values that are stored.
int32_t Launch::storeEarlyValues() {
  for (int32_t i = program.numOperands; i < program.numValues; ++i) {
    Value &value = values[i];
    if (!value.stored)
      continue;
    int64_t *own = stridesOf(i);
    int64_t elements = 1;
    for (int32_t axis = space.rank - 1; axis >= 0; --axis) {
      bool varies = value.axes >> axis & 1;
      own[axis] = varies ? elements : 0;
      elements *= varies ? space.extents[axis] : 1;
    }
    if (!value.data)
      value.data =
          static_cast<char *>(arena.allocate(elements * program.valueBytes[i]));
    if (!value.data)
      return call.failMemory(&elements, 1, program.valueBytes[i]);
  }
  return BROADLOOM_OK;
}

/// Levels with fewer axes first: what a level reads varies along a part of its
/// axes.
int32_t Launch::runLevels() {
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
void Launch::addStage(Level &level, int32_t number) {
  const BroadloomStage &stage = program.stages[number];
  level.stages[level.numStages++] = number;
  level.stageInputs = std::max(level.stageInputs, stage.numInputs);
  level.stageOutputs = std::max(level.stageOutputs, stage.numOutputs);
  for (int32_t k = 0; k < stage.numInputs; ++k) {
    int32_t id = stage.inputs[k];
    Value &value = values[id];
    if (value.askedBy == numLevels ||
        (id >= program.numOperands && value.axes == stageAxes[number]))
      continue;
    value.askedBy = numLevels;
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
        LevelOutput{id, program.valueBytes[id],
                    values[id].stored ? values[id].data : nullptr, 0};
  }
}

/// The level's axes, and its inputs' strides over them.
bool Launch::setAxes(Level &level, AxisSet axes) {
  // The only level has all axes, and they are coalesced already.
  if (axes == allAxes() && numLevels == 1) {
    level.rank = space.rank;
    level.extents = space.extents;
    level.count = count;
    for (int32_t i = 0; i < level.numInputs; ++i)
      level.inputs[i].walk.strides = stridesOf(level.inputs[i].value);
    return true;
  }
  Space own;
  own.numOperands = level.numInputs;
  own.pitch = space.rank;
  own.extents = arena.array<int64_t>(space.rank);
  own.strides = arena.array<int64_t>(int64_t(level.numInputs) * space.rank);
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
    ++own.rank;
  }
  coalesce(own);
  level.rank = own.rank;
  level.extents = own.extents;
  for (int32_t i = 0; i < level.numInputs; ++i)
    level.inputs[i].walk.strides = own.stridesOf(i);
  return true;
}

int32_t Launch::runLevel(AxisSet axes) {
  ++numLevels;
  Arena::Mark mark = arena.mark();
  Level level;
  level.program = &program;
  level.firstOutputs = firstOutputs;
  level.stages = arena.array<int32_t>(program.numStages);
  level.inputs = arena.array<LevelInput>(program.numValues);
  level.outputs = arena.array<LevelOutput>(program.numValues);
  if (!level.stages || !level.inputs || !level.outputs)
    return noMemory();
  for (int32_t i = 0; i < program.numStages; ++i)
    if (stageAxes[i] == axes)
      addStage(level, i);
  if (!setAxes(level, axes))
    return noMemory();
  planLevel(level, call.threads());
  if (!broadloom::runLevel(level, arena))
    return noMemory();
  arena.rewind(mark);
  return BROADLOOM_OK;
}

/// Results whose values are elsewhere: operands, values of fewer elements,
/// values that several results have.
int32_t Launch::copyResults() {
  int64_t *target = nullptr;
  for (int32_t i = 0; i < program.numResults; ++i) {
    int32_t id = program.results[i];
    if (values[id].data == resultData[i])
      continue;
    if (!target) {
      target = arena.array<int64_t>(space.rank);
      if (!target)
        return noMemory();
      rowMajorStrides(space.extents, space.rank, target);
    }
    if (!copyStrided(arena, call.threads(), space.extents, space.rank,
                     program.valueBytes[id], {resultData[i], target},
                     {values[id].data, stridesOf(id)}))
      return noMemory();
  }
  return BROADLOOM_OK;
}

int32_t Launch::run(BroadloomView *results, const int32_t *slots) {
  for (int32_t i = 0; i < program.numValues; ++i)
    if (int32_t bytes = program.valueBytes[i];
        bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
      return call.fail(BROADLOOM_INVALID_ARGUMENT,
                       "elements of " + std::to_string(bytes) +
                           " bytes are not supported");
  if (int32_t status = broadcastOperands())
    return status;
  if (int32_t status = makeResults(results, slots))
    return status;
  if (count == 0)
    return BROADLOOM_OK;
  // What follows is needed during the launch only.
  Arena::Mark mark = arena.mark();
  int32_t status = describeOperands();
  if (!status) {
    describeStages();
    status = storeEarlyValues();
  }
  if (!status)
    status = runLevels();
  if (!status)
    status = copyResults();
  arena.rewind(mark);
  return status;
}

} // namespace

int32_t broadloomLaunch(BroadloomCall *call, const BroadloomProgram *program,
                        const BroadloomView *operands, BroadloomView *results,
                        const int32_t *slots) {
  return Launch(*call, *program, operands).run(results, slots);
}
