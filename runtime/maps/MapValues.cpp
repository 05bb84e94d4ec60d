//===- MapValues.cpp - what a launch knows of its values ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"

using namespace broadloom;

/// Describes operands as values. They are in memory, and vary along the axes
/// with strides other than 0.
void MapLaunch::describeOperands() {
  for (int32_t i = 0; i < program.numOperands; ++i) {
    AxisSet axes = 0;
    for (int32_t axis = 0; axis < space.rank; ++axis)
      axes |= AxisSet(stridesOf(i)[axis] != 0) << axis;
    values[i] = Value{axes, operandData(i), true, 0};
  }
}

/// Finds the axes along which each stage's values vary, and the values that are
/// used outside their level.
void MapLaunch::describeStages() {
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

/// Allocates memory and strides for the values that are stored.
int32_t MapLaunch::storeEarlyValues() {
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
