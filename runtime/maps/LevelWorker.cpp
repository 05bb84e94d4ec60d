//===- LevelWorker.cpp - levels run chunk by chunk ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/LevelWorker.h"
#include "runtime/memory/Stream.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

inline LevelMemory::LevelMemory(const Level &level, ArrayLayout &layout)
    : buffers(layout.takeBuffer(level.threadBytes)), cursor(level, layout) {
  int32_t numValues = level.numInputs + level.numOutputs;
  staged = layout.take<Staged>(level.numInputs);
  splats = layout.take<Splat>(level.numInputs);
  steps = layout.take<int64_t>(numValues);
  tailSteps = layout.take<int64_t>(numValues);
  rowSteps = layout.take<int64_t>(numValues);
  bases = layout.take<char *>(numValues);
  outputs = bases + level.numInputs;
  numbers = layout.take<int64_t>(level.program->numValues);
  stageSteps = layout.take<int64_t>(level.stageInputs);
  stageInputs = layout.take<char *>(level.stageInputs);
  stageOutputs = layout.take<char *>(level.stageOutputs);
}

LevelWorker::LevelWorker(const Level &level, ArrayLayout layout)
    : LevelMemory(level, layout), level(level) {
  const BroadloomStage &first = level.program->stages[level.stages[0]];
  if (level.numStages == 1 && level.numInputs == first.numInputs) {
    onlyStage = &first;
    return;
  }
  for (int32_t i = 0; i < level.numInputs; ++i)
    numbers[level.inputs[i].value] = i;
  for (int32_t i = 0; i < level.numOutputs; ++i)
    numbers[level.outputs[i].value] = level.numInputs + i;
}

void LevelWorker::runTiny() {
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    char *buffer = buffers + input.buffer;
    int64_t bytes = level.count * input.walk.bytes;
    if (input.walk.rank == 1 && input.walk.strides[0] == 1)
      memcpy(buffer, input.walk.base, size_t(bytes));
    else
      fillWalk(buffer, input.walk, 0, level.count);
    fillSplat(buffer + bytes, buffer, kStrip - level.count, input.walk.bytes);
    bases[i] = buffer;
    steps[i] = kStrip;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    outputs[i] = buffers + level.outputs[i].buffer;
    steps[level.numInputs + i] = kStrip;
  }
  callStages(kStrip);
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (const LevelOutput &output = level.outputs[i]; output.data)
      memcpy(output.data, buffers + output.buffer,
             size_t(level.count * output.bytes));
}

void LevelWorker::run(int64_t begin, int64_t end) {
  start();
  if (level.isFlat && onlyStage)
    runFlat(begin, end);
  else if (level.isByWholeRows)
    runRows(begin, end);
  else
    runChunks(begin, end);
  if (level.streams)
    streamFence();
}

void LevelWorker::start() {
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    staged[i] = Staged{0, 0};
    char *buffer = buffers + input.buffer;
    if (input.access == Access::Scalar)
      fillSplat(buffer, input.walk.base, kStrip, input.walk.bytes);
    if (input.access == Access::Repeat)
      fillWalk(buffer, input.walk, 0,
               std::min(repeatCapacity(level, input), level.count));
    steps[i] = isOneStrip(input.access) ? 0 : kStrip;
    if (input.access != Access::Whole && input.access != Access::Row)
      bases[i] = buffer;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    if (!level.outputs[i].data)
      outputs[i] = buffers + level.outputs[i].buffer;
    steps[level.numInputs + i] = kStrip;
  }
  cursor.start();
}

void LevelWorker::shift(int64_t elements) {
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    if (!isOneStrip(input.access))
      bases[i] += elements * input.walk.bytes;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (const LevelOutput &output = level.outputs[i]; output.data)
      outputs[i] += elements * output.bytes;
}

void LevelWorker::runHead(int64_t head, char *to) {
  const LevelOutput &output = level.outputs[0];
  outputs[0] = buffers + output.buffer;
  callStages(kStrip);
  memcpy(to, outputs[0], size_t(head * output.bytes));
}

void LevelWorker::runTail(char *end, int64_t rest) {
  const LevelOutput &output = level.outputs[0];
  outputs[0] = buffers + output.buffer;
  callStages(kStrip);
  int64_t bytes = rest * output.bytes;
  streamCopy(end - bytes, outputs[0] + kStrip * output.bytes - bytes, bytes);
}

/// Calls each of several stages with its own values.
void LevelWorker::callEachStage(int64_t elements, int32_t streamed) {
  for (int32_t i = 0; i < level.numStages; ++i) {
    int32_t number = level.stages[i];
    const BroadloomStage &stage = level.program->stages[number];
    for (int32_t k = 0; k < stage.numInputs; ++k) {
      stageInputs[k] = bases[numbers[stage.inputs[k]]];
      stageSteps[k] = steps[numbers[stage.inputs[k]]];
    }
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      stageOutputs[k] = bases[numbers[level.firstOutputs[number] + k]];
    stage.kernel(asKernelInputs(stageInputs),
                 reinterpret_cast<void **>(stageOutputs), stageSteps, elements,
                 streamed);
  }
}

bool broadloom::runLevel(const Level &level, Arena &arena) noexcept {
  int64_t bytes = threadPitch(bytesOf<LevelMemory>(level));
  int64_t all;
  if (__builtin_mul_overflow(bytes, int64_t(level.threads), &all))
    return false;
  char *memory = static_cast<char *>(arena.allocate(all));
  if (!memory)
    return false;
  if (level.count < BROADLOOM_STRIP_MULTIPLE) {
    LevelWorker(level, ArrayLayout(memory)).runTiny();
    return true;
  }
  parallelFor(level.threads, level.numChunks,
              [&](int32_t thread, int64_t begin, int64_t end) {
                LevelWorker(level, ArrayLayout(memory + thread * bytes))
                    .run(begin, end);
              });
  return true;
}
