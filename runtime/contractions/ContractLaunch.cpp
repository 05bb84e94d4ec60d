//===- ContractLaunch.cpp - one run of a contraction ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/ContractLaunch.h"

#include "runtime/calls/Descriptor.h"
#include "runtime/contractions/Windows.h"
#include "runtime/memory/StridedCopy.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>

using namespace broadloom;

/// Rows of an image that are copied together.
static constexpr int64_t kRowsOfPart = 64;

const int64_t *ContractLaunch::extentsOf(int32_t operand) const {
  return descriptorOf(operands[operand]).dims;
}

const int64_t *ContractLaunch::stridesOf(int32_t operand) const {
  return extentsOf(operand) + operands[operand].rank;
}

int32_t ContractLaunch::failShape(const char *what) {
  return call.fail(BROADLOOM_INVALID_ARGUMENT, what);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::describe() {
  rank = operands[0].rank;
  if (rank < 2 || (record.windowRank && record.windowRank != rank - 2))
    return failShape("the image of a contraction has another rank than its "
                     "window needs");
  // A window along one axis is treated as a window in an image with a single
  // line.
  int32_t leading = record.windowRank == 1;
  c.windowRank = record.windowRank + leading;
  extents = arena.array<int64_t>(rank);
  c.window = arena.array<WindowAxis>(c.windowRank);
  if (!extents || !c.window)
    return call.failMemory();
  const int64_t *image = extentsOf(0);
  c.record = &record;
  c.imageBytes = program.valueBytes[0];
  c.image = elementsOf(operands[0], c.imageBytes);
  c.weightBytes = program.valueBytes[1];
  c.weight = elementsOf(operands[1], c.weightBytes);
  c.channelsIn = image[rank - 1];
  std::copy(image, image + rank, extents);
  if (leading)
    c.window[0] = WindowAxis{1, 1, 1, 1, 1, 0};
  if (int32_t status = describeWeight(c.window + leading))
    return status;
  return describeWindow(c.window + leading);
}

/// Describes the strides of an image without a window. Rows that are not evenly
/// spaced are copied.
int32_t ContractLaunch::describeImage() {
  c.imageStep = 1;
  c.imageRowStride = c.channelsIn;
  c.imageGroupStride = c.rowsPerGroup * c.channelsIn;
  if (c.windowRank != 0 || countElements(extents, rank - 1) <= 0)
    return BROADLOOM_OK;
  const int64_t *image = extentsOf(0), *strides = stridesOf(0);
  c.imageStep = c.channelsIn == 1 ? 1 : strides[rank - 1];
  int64_t first = c.numGroups > 1;
  c.imageGroupStride = strides[0];
  int64_t rows = 1;
  bool isEven = true;
  for (int64_t axis = rank - 2; axis >= first; --axis) {
    if (image[axis] == 1)
      continue;
    if (rows == 1)
      c.imageRowStride = strides[axis];
    isEven &= rows == 1 || strides[axis] == rows * c.imageRowStride;
    rows *= image[axis];
  }
  if (isEven)
    return BROADLOOM_OK;
  int64_t bytes = countBytes(image, rank, c.imageBytes);
  int64_t *dense = arena.array<int64_t>(rank);
  char *to = bytes < 0 ? nullptr : static_cast<char *>(arena.allocate(bytes));
  if (!dense || !to)
    return call.failMemory();
  rowMajorStrides(image, rank, dense);
  if (!copyStrided(arena, call.threads(), image, rank, c.imageBytes,
                   {to, dense}, {const_cast<char *>(c.image), strides}))
    return call.failMemory();
  c.image = to;
  c.imageStep = 1;
  c.imageRowStride = c.channelsIn;
  c.imageGroupStride = c.rowsPerGroup * c.channelsIn;
  return BROADLOOM_OK;
}

/// Reads the window, the channels and the groups from the weight.
int32_t ContractLaunch::describeWeight(WindowAxis *window) {
  const int64_t *weight = record.packed ? record.packed : extentsOf(1);
  int64_t channelAxes = getNumChannelAxes(kind);
  int64_t weightRank =
      record.packed ? record.windowRank + channelAxes : operands[1].rank;
  int64_t first = weightRank - record.windowRank - channelAxes;
  if (first < 0 || first > (isByChannel(kind) ? 0 : 1))
    return failShape("the weight of a contraction has another rank than its "
                     "window needs");
  c.numGroups = first ? weight[0] : 1;
  if (first && weight[0] != extents[0])
    return failShape("a contraction has not as many weights as images");
  c.windowCount = 1;
  for (int32_t axis = 0; axis < record.windowRank; ++axis) {
    window[axis].window = weight[first + axis];
    c.windowCount *= weight[first + axis];
  }
  c.channelsOut = isPool(kind) ? c.channelsIn : weight[weightRank - 1];
  if (!isPool(kind) && weight[first + record.windowRank] != c.channelsIn)
    return failShape("the image and the weight of a contraction differ in "
                     "channels");
  extents[rank - 1] = c.channelsOut;
  if (record.packed || isByChannel(kind))
    return BROADLOOM_OK;
  const int64_t *strides = stridesOf(1);
  c.givenChannel = strides[weightRank - 1];
  // With a window, the weight is row-major.
  c.givenStep = strides[weightRank - 2];
  c.givenGroup = first ? strides[0] : 0;
  return BROADLOOM_OK;
}

int32_t ContractLaunch::describeWindow(WindowAxis *window) {
  const int64_t *numbers = record.window;
  for (int32_t axis = 0; axis < record.windowRank; ++axis, numbers += 4) {
    WindowAxis &it = window[axis];
    it.image = extents[1 + axis];
    it.stride = numbers[0];
    it.dilation = numbers[1];
    it.padBefore = numbers[2];
    int64_t reach, pads, room;
    if (__builtin_mul_overflow(it.window - 1, it.dilation, &reach) ||
        __builtin_add_overflow(numbers[2], numbers[3], &pads) ||
        __builtin_add_overflow(it.image, pads, &room) ||
        __builtin_sub_overflow(room, reach + 1, &room))
      return call.failMemory(extents, rank, c.imageBytes);
    it.result = room < 0 ? 0 : room / it.stride + 1;
    extents[1 + axis] = it.result;
  }
  c.rowsPerImage = countElements(extents + 1, rank - 2);
  c.rowsPerGroup = c.rowsPerImage;
  if (c.numGroups == 1)
    c.rowsPerGroup = countElements(extents, rank - 1);
  return c.rowsPerImage < 0 || c.rowsPerGroup < 0
             ? call.failMemory(extents, rank, 1)
             : int32_t(BROADLOOM_OK);
}

//===----------------------------------------------------------------------===//
// Operands of the body, and results
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::makeResults(BroadloomView *results,
                                    const int32_t *slots) {
  for (int32_t i = 0; i < program.numResults; ++i) {
    char *data;
    if (int32_t status = call.makeResult(
            results[i], slots[i], program.valueBytes[program.numOperands + i],
            rank, extents, data))
      return status;
  }
  return BROADLOOM_OK;
}

/// Copies an operand of the body that has one channel to one with all channels,
/// if the kernel expects all.
int32_t ContractLaunch::repeatChannels(int32_t tensor, const int64_t *own) {
  int64_t axes = rank - 1, count = countElements(own, axes), bytes;
  if (count < 0 ||
      __builtin_mul_overflow(count, c.channelsOut * c.bytes[tensor], &bytes))
    return call.failMemory(extents, rank, c.bytes[tensor]);
  char *to = static_cast<char *>(arena.allocate(bytes));
  if (!to)
    return call.failMemory();
  int64_t shape[] = {count, c.channelsOut};
  int64_t dense[] = {c.channelsOut, 1}, repeated[] = {1, 0};
  if (!copyStrided(arena, call.threads(), shape, 2, c.bytes[tensor],
                   {to, dense}, {c.data[tensor], repeated}))
    return call.failMemory();
  c.data[tensor] = to;
  c.hasChannels[tensor] = true;
  return BROADLOOM_OK;
}

/// Adds an operand or result of the body with its strides over the rows.
int32_t ContractLaunch::addTensor(const BroadloomView &view, int32_t value) {
  int32_t tensor = c.numTensors++;
  const int64_t *dims = descriptorOf(view).dims;
  int64_t missing = rank - view.rank;
  if (missing < 0)
    return failShape("an operand of a contraction's body is wider than the "
                     "result");
  c.bytes[tensor] = program.valueBytes[value];
  c.data[tensor] = elementsOf(view, c.bytes[tensor]);
  int64_t own[BROADLOOM_MAX_RANK];
  for (int64_t axis = 0; axis < rank; ++axis) {
    own[axis] = axis < missing ? 1 : dims[axis - missing];
    if (own[axis] != 1 && own[axis] != extents[axis])
      return failShape("an operand of a contraction's body does not broadcast "
                       "to the result");
  }
  c.hasChannels[tensor] = own[rank - 1] != 1;
  bool isOne = record.ones >> tensor & 1;
  if (!c.hasChannels[tensor] && !isOne && c.channelsOut != 1)
    if (int32_t status = repeatChannels(tensor, own))
      return status;
  int64_t *strides = c.rows.stridesOf(tensor);
  int64_t stride = c.hasChannels[tensor] ? c.channelsOut : 1;
  for (int64_t axis = rank - 2; axis >= 0; --axis) {
    strides[axis] = own[axis] == 1 ? 0 : stride;
    stride *= own[axis];
  }
  return BROADLOOM_OK;
}

int32_t ContractLaunch::describeTensors(BroadloomView *results) {
  int32_t count = program.numOperands - 2 + program.numResults;
  c.numTensors = 0;
  c.data = arena.array<char *>(count);
  c.bytes = arena.array<int32_t>(count);
  c.hasChannels = arena.array<bool>(count);
  c.rows.rank = int32_t(rank - 1);
  c.rows.numOperands = count;
  c.rows.pitch = int32_t(rank - 1);
  c.rows.extents = arena.array<int64_t>(rank - 1);
  c.rows.strides = arena.array<int64_t>(int64_t(count) * (rank - 1));
  if (!c.data || !c.bytes || !c.hasChannels || !c.rows.extents ||
      !c.rows.strides)
    return call.failMemory();
  std::copy(extents, extents + rank - 1, c.rows.extents);
  for (int32_t i = 2; i < program.numOperands; ++i)
    if (int32_t status = addTensor(operands[i], i))
      return status;
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status = addTensor(results[i], program.numOperands + i))
      return status;
  coalesce(c.rows);
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// The weight in panels
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::packWeight() {
  if (c.weightSource != WeightSource::LaidOut || c.panelStride == 0)
    return BROADLOOM_OK;
  int64_t bytes;
  if (__builtin_mul_overflow(c.numGroups * c.groupStride, c.weightBytes,
                             &bytes))
    return call.failMemory(extents, rank, c.weightBytes);
  char *panels = static_cast<char *>(arena.allocate(bytes));
  if (!panels)
    return call.failMemory();
  int64_t count = c.numPanels(), panelBytes = c.panelStride * c.weightBytes;
  parallelFor(threadsFor(call.threads(), bytes), c.numGroups * count,
              [&](int32_t, int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i)
                  layOutPanel(c, i / count, i % count, panels + i * panelBytes);
              });
  c.weight = panels;
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// The image in rows
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::copyImage() {
  if (!c.copiesImage)
    return BROADLOOM_OK;
  int64_t pitch = c.lineElements, perGroup = c.rowsPerGroup * pitch;
  int64_t bytes = c.numGroups * perGroup * c.imageBytes;
  char *to = static_cast<char *>(arena.allocate(bytes));
  if (!to)
    return call.failMemory();
  int64_t parts = (c.rowsPerGroup + kRowsOfPart - 1) / kRowsOfPart;
  parallelFor(threadsFor(call.threads(), bytes), c.numGroups * parts,
              [&](int32_t, int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t group = i / parts, first = i % parts * kRowsOfPart;
                  copyRows(c, group, first,
                           std::min(kRowsOfPart, c.rowsPerGroup - first),
                           to + (group * perGroup + first * pitch) *
                                    c.imageBytes);
                }
              });
  c.image = to;
  c.imageStep = 1;
  c.imageRowStride = pitch;
  c.imageGroupStride = perGroup;
  return BROADLOOM_OK;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::runBlocks() {
  c.threads = int32_t(std::min<int64_t>(c.threads, c.numItems()));
  int64_t bytes = contractionBytes(c), all;
  if (bytes < 0 || __builtin_mul_overflow(bytes, int64_t(c.threads), &all))
    return call.failMemory(extents, rank, c.imageBytes);
  char *memory = static_cast<char *>(arena.allocate(all));
  if (!memory)
    return call.failMemory();
  parallelFor(c.threads, c.numItems(),
              [&](int32_t thread, int64_t begin, int64_t end) {
                runContraction(c, memory + thread * bytes, begin, end);
              });
  return BROADLOOM_OK;
}

int32_t ContractLaunch::run(BroadloomView *results, const int32_t *slots) {
  if (int32_t status = describe())
    return status;
  if (int32_t status = makeResults(results, slots))
    return status;
  return countElements(extents, rank) != 0 ? compute(results)
                                           : int32_t(BROADLOOM_OK);
}

int32_t ContractLaunch::compute(BroadloomView *results) {
  int64_t count = countElements(extents, rank);
  int64_t products =
      count * c.windowCount * (isByChannel(kind) ? 1 : c.channelsIn);
  call.countOperations(record.operations * count +
                       (isPool(kind) ? products : 0));
  call.countMultiplyAdds(isPool(kind) ? 0 : products);
  call.countReduced(isPool(kind) ? products : 0);
  if (int32_t status = describeImage())
    return status;
  if (int32_t status = describeTensors(results))
    return status;
  planContraction(c, call.threads());
  if (int32_t status = copyImage())
    return status;
  if (int32_t status = packWeight())
    return status;
  return runBlocks();
}
