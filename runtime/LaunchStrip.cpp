//===- LaunchStrip.cpp - results of less than a strip ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels compute whole strips, so a stage of such a program costs one call of
// its kernel whatever its extents are: all of them are run once over the
// result's extents, in buffers, with no levels and no plan.
//
//===----------------------------------------------------------------------===//

#include "runtime/Launch.h"

#include <cstring>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

/// The elements of one operand over the axes from `axis` on. Returns where
/// they end.
template <typename T>
T *spread(T *to, const char *from, const Space &space, const int64_t *strides,
          int32_t axis) {
  int64_t extent = space.extents[axis];
  int64_t step = strides[axis] * int64_t(sizeof(T));
  if (axis + 1 == space.rank) {
    for (int64_t i = 0; i < extent; ++i, from += step)
      memcpy(to + i, from, sizeof(T));
    return to + extent;
  }
  T *end = spread<T>(to, from, space, strides, axis + 1);
  if (step == 0) {
    T *all = to + (end - to) * extent;
    for (; end != all; ++end, ++to)
      *end = *to;
    return all;
  }
  for (int64_t i = 1; i < extent; ++i)
    end = spread<T>(end, from + i * step, space, strides, axis + 1);
  return end;
}

template <typename T>
void fill(char *to, const char *from, const Space &space,
          const int64_t *strides, int64_t count) {
  // What is behind the last element is computed with, too.
  memset(to, 0, kStrip * sizeof(T));
  if (space.rank == 1 && strides[0] == 1)
    memcpy(to, from, size_t(count) * sizeof(T));
  else if (space.rank == 0)
    memcpy(to, from, sizeof(T));
  else
    spread<T>(reinterpret_cast<T *>(to), from, space, strides, 0);
}

} // namespace

int32_t Launch::runStrip() {
  int64_t bytes = 0;
  for (int32_t i = 0; i < program.numValues; ++i)
    bytes += kStrip * program.valueBytes[i];
  int32_t most = 0;
  for (int32_t i = 0; i < program.numStages; ++i)
    most = std::max(most, program.stages[i].numInputs);
  char *buffer = static_cast<char *>(
      arena.allocate(bytes + 8 * (int64_t(program.numValues) + most)));
  if (!buffer)
    return noMemory();
  void **current = reinterpret_cast<void **>(buffer + bytes);
  const void **inputs = const_cast<const void **>(current + program.numValues);
  for (int32_t i = 0; i < program.numValues; ++i) {
    current[i] = buffer;
    buffer += kStrip * program.valueBytes[i];
  }
  for (int32_t i = 0; i < program.numOperands; ++i) {
    char *to = static_cast<char *>(current[i]);
    const char *from = operandData(i);
    switch (program.valueBytes[i]) {
    case 1:
      fill<uint8_t>(to, from, space, stridesOf(i), count);
      break;
    case 2:
      fill<uint16_t>(to, from, space, stridesOf(i), count);
      break;
    case 4:
      fill<uint32_t>(to, from, space, stridesOf(i), count);
      break;
    default:
      fill<uint64_t>(to, from, space, stridesOf(i), count);
      break;
    }
  }
  void **outputs = current + program.numOperands;
  for (int32_t i = 0; i < program.numStages; ++i) {
    const BroadloomStage &stage = program.stages[i];
    for (int32_t k = 0; k < stage.numInputs; ++k)
      inputs[k] = current[stage.inputs[k]];
    stage.kernel(inputs, outputs, kStrip);
    outputs += stage.numOutputs;
  }
  for (int32_t i = 0; i < program.numResults; ++i) {
    int32_t id = program.results[i];
    memcpy(resultData[i], current[id],
           size_t(count) * size_t(program.valueBytes[id]));
  }
  return BROADLOOM_OK;
}
