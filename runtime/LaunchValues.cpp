//===- LaunchValues.cpp - what a launch knows of its values ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Launch.h"
#include "shape/Formula.h"
#include "shape/Message.h"

#include <algorithm>
#include <type_traits>
#include <vector>

using namespace broadloom;

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
