//===- MapStrip.cpp - results of a few strips at most ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For such a launch, planning would take most of the time, and stages that
// depend on fewer axes would save a strip or two. So all stages run once over
// the result's extents, in buffers, without levels and without a plan.
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/maps/MapLaunch.h"
#include "runtime/memory/Pad.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;

template <typename T>
inline T *spreadRow(T *to, const char *from, int64_t extent, int64_t step) {
  for (int64_t i = 0; i < extent; ++i, from += step)
    memcpy(to + i, from, sizeof(T));
  return to + extent;
}

/// Repeats the elements from `to` to `end`, so that they are there `times`
/// times.
template <typename T> inline T *repeat(T *to, T *end, int64_t times) {
  T *all = to + (end - to) * times;
  for (; end != all; ++end, ++to)
    *end = *to;
  return all;
}

/// Writes the elements of one operand over the axes from `axis` on. Returns
/// their end.
template <typename T>
T *spread(T *to, const char *from, const Space &space, const int64_t *strides,
          int32_t axis) {
  int64_t extent = space.extents[axis];
  int64_t step = strides[axis] * int64_t(sizeof(T));
  int32_t behind = space.rank - 1 - axis;
  if (behind == 0)
    return spreadRow(to, from, extent, step);
  if (behind == 1) {
    int64_t inner = space.extents[axis + 1];
    int64_t innerStep = strides[axis + 1] * int64_t(sizeof(T));
    T *end = spreadRow(to, from, inner, innerStep);
    if (step == 0)
      return repeat(to, end, extent);
    for (int64_t i = 1; i < extent; ++i)
      end = spreadRow(end, from + i * step, inner, innerStep);
    return end;
  }
  T *end = spread<T>(to, from, space, strides, axis + 1);
  if (step == 0)
    return repeat(to, end, extent);
  for (int64_t i = 1; i < extent; ++i)
    end = spread<T>(end, from + i * step, space, strides, axis + 1);
  return end;
}

template <typename T>
void fill(char *to, const char *from, const Space &space,
          const int64_t *strides, int64_t count, int64_t padded) {
  // The padding after the last element is computed too. It repeats the first
  // element, so that a loop in the body that ends for all elements also ends
  // for the padding.
  T *end = reinterpret_cast<T *>(to) + count;
  if (isRowMajor(space.extents, strides, space.rank))
    return copyPadded(to, from, sizeof(T), count, padded);
  spread<T>(reinterpret_cast<T *>(to), from, space, strides, 0);
  std::fill(end, end + (padded - count), *reinterpret_cast<T *>(to));
}

void fill(char *to, const char *from, int32_t bytes, const Space &space,
          const int64_t *strides, int64_t count, int64_t padded) {
  switch (bytes) {
  case 1:
    return fill<uint8_t>(to, from, space, strides, count, padded);
  case 2:
    return fill<uint16_t>(to, from, space, strides, count, padded);
  case 4:
    return fill<uint32_t>(to, from, space, strides, count, padded);
  default:
    return fill<uint64_t>(to, from, space, strides, count, padded);
  }
}

struct StripSizes {
  int64_t bufferBytes;
  int32_t numValues, mostInputs;
};

struct StripMemory {
  StripMemory(const StripSizes &sizes, ArrayLayout &layout)
      : buffers(layout.takeBuffer(sizes.bufferBytes)),
        current(layout.take<void *>(sizes.numValues)),
        inputs(layout.take<const void *>(sizes.mostInputs)),
        steps(layout.take<int64_t>(sizes.mostInputs)) {}

  char *buffers;
  /// The address of each value.
  void **current;
  /// The arguments of a stage.
  const void **inputs;
  int64_t *steps;
};

} // namespace

int32_t MapLaunch::runStrip() {
  const int64_t padded = roundUp(count, kStrip);
  StripSizes sizes{0, program.numValues, 0};
  for (int32_t i = 0; i < program.numValues; ++i)
    sizes.bufferBytes += padded * program.valueBytes[i];
  for (int32_t i = 0; i < program.numStages; ++i)
    sizes.mostInputs = std::max(sizes.mostInputs, program.stages[i].numInputs);
  void *memory = arena.allocate(bytesOf<StripMemory>(sizes));
  if (!memory)
    return call.failMemory();
  ArrayLayout layout(memory);
  auto [buffer, current, inputs, steps] = StripMemory(sizes, layout);
  std::fill(steps, steps + sizes.mostInputs, kStrip);
  for (int32_t i = 0; i < program.numValues; ++i) {
    current[i] = buffer;
    buffer += padded * program.valueBytes[i];
  }
  bool exact = count == padded;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    char *from = operandData(i);
    const int64_t *own = stridesOf(i);
    int32_t bytes = program.valueBytes[i];
    if (exact && isAligned(from, bytes) &&
        isRowMajor(space.extents, own, space.rank))
      current[i] = from;
    else
      fill(static_cast<char *>(current[i]), from, bytes, space, own, count,
           padded);
  }
  // Without padding, a result is computed in place; if several results are one
  // value, in that of the last one.
  for (int32_t i = 0; exact && i < program.numResults; ++i)
    if (program.results[i] >= program.numOperands)
      current[program.results[i]] = resultData[i];
  void **outputs = current + program.numOperands;
  for (int32_t i = 0; i < program.numStages; ++i) {
    const BroadloomStage &stage = program.stages[i];
    for (int32_t k = 0; k < stage.numInputs; ++k)
      inputs[k] = current[stage.inputs[k]];
    stage.kernel(inputs, outputs, steps, padded, /*streamed=*/0);
    outputs += stage.numOutputs;
  }
  for (int32_t i = 0; i < program.numResults; ++i) {
    int32_t id = program.results[i];
    if (current[id] != resultData[i])
      memcpy(resultData[i], current[id],
             size_t(count) * size_t(program.valueBytes[id]));
  }
  return BROADLOOM_OK;
}
