//===- ContractExtents.cpp - extents of a contraction ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/ContractLaunch.h"

#include "runtime/memory/StridedCopy.h"

#include <algorithm>

using namespace broadloom;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

int32_t ContractLaunch::describe() {
  if (rank < 2 || (record.windowRank && record.windowRank != rank - 2))
    return failShape("the image of a contraction has another rank than its "
                     "window needs");
  // A window along one axis is treated as a window in an image with a single
  // line.
  int32_t leading = record.windowRank == 1;
  c.windowRank = record.windowRank + leading;
  const int64_t *image = extentsOf(0);
  c.imageBytes = program.valueBytes[0];
  c.weightBytes = program.valueBytes[1];
  c.channelsIn = image[rank - 1];
  std::copy(image, image + rank, extents);
  if (leading)
    c.window[0] = WindowAxis{1, 1, 1, 1, 1, 0};
  if (int32_t status = describeWeight(c.window + leading))
    return status;
  if (int32_t status = describeWindow(c.window + leading))
    return status;
  plan.count = countElements(extents, rank);
  return BROADLOOM_OK;
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
                   {to, dense}, {const_cast<char *>(c.image), strides},
                   call.cancellation()))
    return call.failMemory();
  hasCopies = true;
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
  c.parts = std::max<int64_t>(1, record.groups);
  if (c.channelsIn % c.parts != 0 || c.channelsOut % c.parts != 0 ||
      (c.parts > 1 && (first || isByChannel(kind) || !record.windowRank)))
    return failShape("the groups of a contraction do not divide its channels");
  c.channelsIn /= c.parts;
  if (!isPool(kind) && weight[first + record.windowRank] != c.channelsIn)
    return failShape("the image and the weight of a contraction differ in "
                     "channels");
  extents[rank - 1] = c.channelsOut;
  if ((record.packed && !isGiven) || isByChannel(kind))
    return BROADLOOM_OK;
  const int64_t *strides = stridesOf(1);
  c.givenChannel = strides[operands[1].rank - 1];
  // With a window, the weight is row-major, or is laid out once and has any
  // strides. The stride of an axis of extent 1 is no distance.
  int64_t axis = operands[1].rank - 2;
  while (axis > first && extentsOf(1)[axis] == 1)
    --axis;
  c.givenStep = strides[axis];
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

/// Copies an operand of the body, so that each of its rows has all channels,
/// side by side, as the kernel expects them; `strides` become those of the
/// copy.
int32_t ContractLaunch::copyRowsOf(int32_t tensor, const int64_t *own,
                                   int64_t *strides) {
  int64_t shape[BROADLOOM_MAX_RANK], dense[BROADLOOM_MAX_RANK];
  std::copy(own, own + rank - 1, shape);
  shape[rank - 1] = c.channelsOut;
  int64_t bytes = countBytes(shape, rank, c.bytes[tensor]);
  char *to = bytes < 0 ? nullptr : static_cast<char *>(arena.allocate(bytes));
  if (!to)
    return call.failMemory(extents, rank, c.bytes[tensor]);
  rowMajorStrides(shape, rank, dense);
  if (!copyStrided(arena, call.threads(), shape, rank, c.bytes[tensor],
                   {to, dense}, {c.data[tensor], strides}, call.cancellation()))
    return call.failMemory();
  std::copy_n(dense, rank, strides);
  hasCopies = true;
  c.data[tensor] = to;
  c.hasChannels[tensor] = true;
  return BROADLOOM_OK;
}

/// Adds an operand or result of the body, of `ownExtents`, with its strides
/// over the rows.
int32_t ContractLaunch::addTensor(int32_t value, const int64_t *ownExtents,
                                  const int64_t *ownStrides, int64_t ownRank) {
  int32_t tensor = value - 2;
  int64_t missing = rank - ownRank;
  if (missing < 0)
    return failShape("an operand of a contraction's body is wider than the "
                     "result");
  c.bytes[tensor] = program.valueBytes[value];
  int64_t own[BROADLOOM_MAX_RANK], strides[BROADLOOM_MAX_RANK];
  for (int64_t axis = 0; axis < rank; ++axis) {
    own[axis] = axis < missing ? 1 : ownExtents[axis - missing];
    strides[axis] = own[axis] == 1 ? 0 : ownStrides[axis - missing];
    if (own[axis] != 1 && own[axis] != extents[axis])
      return failShape("an operand of a contraction's body does not broadcast "
                       "to the result");
  }
  c.hasChannels[tensor] = own[rank - 1] != 1;
  bool isOne = record.ones >> tensor & 1;
  bool isApart = c.hasChannels[tensor] && strides[rank - 1] != 1;
  bool isRepeated = !c.hasChannels[tensor] && !isOne && c.channelsOut != 1;
  if (isApart || isRepeated)
    if (int32_t status = copyRowsOf(tensor, own, strides))
      return status;
  for (int64_t axis = 0; axis < rank - 1; ++axis)
    c.rows.stridesOf(tensor)[axis] = own[axis] == 1 ? 0 : strides[axis];
  return BROADLOOM_OK;
}

int32_t ContractLaunch::describeTensors() {
  c.rows.rank = int32_t(rank - 1);
  c.rows.numOperands = c.numTensors;
  c.rows.pitch = int32_t(rank - 1);
  std::copy(extents, extents + rank - 1, c.rows.extents);
  for (int32_t i = 2; i < program.numOperands; ++i)
    if (int32_t status =
            addTensor(i, extentsOf(i), stridesOf(i), operands[i].rank))
      return status;
  int64_t dense[BROADLOOM_MAX_RANK];
  rowMajorStrides(extents, rank, dense);
  const int64_t *strides = gaps ? descriptorOf(*gaps).dims + rank : dense;
  for (int32_t i = 0; i < program.numResults; ++i)
    if (int32_t status =
            addTensor(program.numOperands + i, extents, strides, rank))
      return status;
  coalesce(c.rows);
  return BROADLOOM_OK;
}
