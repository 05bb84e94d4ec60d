//===- Outputs.cpp - where results go -------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Descriptor.h"
#include "runtime/calls/ElementFacts.h"
#include "runtime/calls/Slot.h"
#include "runtime/memory/StridedCopy.h"
#include "shape/Memory.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

static std::string nameOf(int32_t output) {
  return "output " + std::to_string(output);
}

void BroadloomCall::forgetResults() noexcept {
  for (int32_t i = 0; i < numSlots; ++i) {
    Slot &slot = slots[size_t(i)];
    slot.release();
    slot.data = nullptr;
    slot.made = slot.pending = slot.returned = slot.ready = false;
  }
}

/// Makes the checks that do not depend on the arguments, once for all calls
/// with the same outputs.
int32_t BroadloomCall::checkOutputs() noexcept {
  for (int32_t i = 0; i < numSlots; ++i) {
    Slot &slot = slots[size_t(i)];
    if (!slot.hasOutput)
      continue;
    if (slot.output.elementType != slot.type)
      return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return nameOf(i) + " has elements of type " +
               broadloomElementTypeName(slot.output.elementType) +
               ", the function's result has " +
               broadloomElementTypeName(slot.type);
      });
    if (!hasDistinctElements(slot.output))
      return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return nameOf(i) + " has elements that share memory";
      });
    slot.outputRange = memoryRange(slot.output);
    slot.plain =
        isAligned(slot.output.data, slot.bytes) &&
        isRowMajor(slot.output.dims, slot.output.dims + slot.output.rank,
                   slot.output.rank);
  }
  if (int32_t status = checkOutputsApart())
    return status;
  outputsChecked = true;
  return BROADLOOM_OK;
}

/// Checks that no two outputs share memory. In the order of addresses, each is
/// compared with the one before it that reaches furthest.
int32_t BroadloomCall::checkOutputsApart() noexcept {
  if (numOutputs < 2)
    return BROADLOOM_OK;
  auto *order = memory.array<int32_t>(numOutputs);
  if (!order)
    return failMemory();
  int32_t count = 0;
  for (int32_t i = 0; i < numSlots; ++i)
    if (const Slot &slot = slots[size_t(i)];
        slot.hasOutput && slot.outputRange.first != slot.outputRange.end)
      order[count++] = i;
  std::sort(order, order + count, [&](int32_t a, int32_t b) {
    return slots[size_t(a)].outputRange.first <
           slots[size_t(b)].outputRange.first;
  });
  int32_t furthest = count ? order[0] : 0;
  for (int32_t i = 1; i < count; ++i) {
    int32_t next = order[i];
    const MemoryRange &before = slots[size_t(furthest)].outputRange,
                      &range = slots[size_t(next)].outputRange;
    if (range.overlaps(before))
      return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return nameOf(std::min(furthest, next)) + " and " +
               nameOf(std::max(furthest, next)) + " share memory";
      });
    if (range.end > before.end)
      furthest = next;
  }
  return BROADLOOM_OK;
}

void BroadloomCall::findOverlaps(const BroadloomTensor *const *arguments,
                                 int32_t count) noexcept {
  for (int32_t i = 0; i < numSlots; ++i)
    slots[size_t(i)].late = false;
  for (int32_t argument = 0; argument < count; ++argument) {
    MemoryRange range = memoryRange(*arguments[argument]);
    for (int32_t i = 0; i < numSlots; ++i)
      if (Slot &slot = slots[size_t(i)]; slot.hasOutput)
        slot.late |= slot.outputRange.overlaps(range);
  }
  for (int32_t i = 0; i < numSlots; ++i)
    slots[size_t(i)].direct = slots[size_t(i)].plain && !slots[size_t(i)].late;
}

int32_t BroadloomCall::checkOutput(int32_t index, const int64_t *extents,
                                   int64_t rank) noexcept {
  const BroadloomTensor &output = slots[size_t(index)].output;
  if (sameExtents(extents, rank, output.dims, output.rank))
    return BROADLOOM_OK;
  return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
    return nameOf(index) + " has shape " +
           formatExtents(output.dims, output.rank) + ", the result has shape " +
           formatExtents(extents, rank);
  });
}

int32_t BroadloomCall::copyInto(Slot &slot, const char *from,
                                const int64_t *extents, const int64_t *strides,
                                int64_t rank) noexcept {
  if (copyStrided(memory, numThreads, extents, rank, slot.bytes,
                  {slot.outputData(), slot.output.dims + rank},
                  {const_cast<char *>(from), strides}, cancellation()))
    return checkCancelled();
  return fail(BROADLOOM_OUT_OF_MEMORY, "there is no memory for a copy");
}

int32_t BroadloomCall::copyPending(Slot &slot) noexcept {
  int64_t strides[BROADLOOM_MAX_RANK];
  rowMajorStrides(slot.output.dims, slot.output.rank, strides);
  return copyInto(slot, slot.data, slot.output.dims, strides, slot.output.rank);
}

int32_t BroadloomCall::returnResult(int32_t index, int64_t elementBytes,
                                    const BroadloomView &view) noexcept {
  if (index < 0 || index >= numSlots || slots[size_t(index)].returned)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "the function returned result " + std::to_string(index) +
             " twice, or has more results than were declared (" +
             std::to_string(numSlots) + ")";
    });
  Slot &slot = slots[size_t(index)];
  if (elementBytes != slot.bytes)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "result " + std::to_string(index) + " has elements of " +
             std::to_string(elementBytes) + " bytes, declared were " +
             broadloomElementTypeName(slot.type);
    });
  const auto &descriptor = *static_cast<BroadloomDescriptor *>(view.descriptor);
  if (findsLeaks)
    keepReturned(descriptor.allocated);
  const int64_t *extents = descriptor.dims;
  const int64_t *strides = descriptor.dims + view.rank;
  // A reshape of an empty tensor can give extents that no call takes.
  if (!canExist(extents, view.rank, elementBytes))
    return fail(BROADLOOM_OUT_OF_MEMORY, [&] {
      return describeTooLarge("result " + std::to_string(index),
                              formatExtents(extents, view.rank));
    });
  char *data = static_cast<char *>(descriptor.aligned) +
               descriptor.offset * elementBytes;
  bool own =
      slot.made && data == slot.data && isRowMajor(extents, strides, view.rank);
  slot.returned = true;

  if (slot.hasOutput) {
    if (int32_t status = checkOutput(index, extents, view.rank))
      return status;
    if (own && data == slot.outputData())
      return BROADLOOM_OK;
    if (!slot.late && !(slot.made && slot.direct))
      return copyInto(slot, data, extents, strides, view.rank);
    // The output's memory may still be read.
    slot.pending = true;
    slot.data = data;
    if (own)
      return BROADLOOM_OK;
    int64_t bytes = countBytes(extents, view.rank, elementBytes);
    slot.data =
        bytes < 0 ? nullptr : static_cast<char *>(memory.allocate(bytes));
    int64_t copyStrides[BROADLOOM_MAX_RANK];
    rowMajorStrides(extents, view.rank, copyStrides);
    if (!slot.data ||
        !copyStrided(memory, numThreads, extents, view.rank, elementBytes,
                     {slot.data, copyStrides}, {data, strides}, cancellation()))
      return failMemory(extents, view.rank, elementBytes);
    return checkCancelled();
  }

  if (view.rank > BROADLOOM_MAX_RANK)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "result " + std::to_string(index) + " has rank " +
             std::to_string(view.rank) + ", at most " +
             std::to_string(BROADLOOM_MAX_RANK) + " can be handed over";
    });
  if (own && slot.isInPlace)
    return BROADLOOM_OK;
  slot.isInPlace = false;
  slot.rank = view.rank;
  std::copy(extents, extents + view.rank, slot.extents);
  if (own)
    return BROADLOOM_OK;
  int64_t bytes = countBytes(extents, view.rank, elementBytes);
  void *fresh = bytes < 0 ? nullptr : allocateMemory(bytes);
  if (!fresh)
    return failMemory(extents, view.rank, elementBytes);
  int64_t freshStrides[BROADLOOM_MAX_RANK];
  rowMajorStrides(extents, view.rank, freshStrides);
  bool copied =
      copyStrided(memory, numThreads, extents, view.rank, elementBytes,
                  {static_cast<char *>(fresh), freshStrides}, {data, strides},
                  cancellation());
  int32_t status =
      copied ? checkCancelled() : failMemory(extents, view.rank, elementBytes);
  if (status != BROADLOOM_OK) {
    freeMemory(fresh, bytes);
    return status;
  }
  // Another result may be a view of this result's buffer, which is kept until
  // the end of the call.
  slot.replaced = slot.memory;
  slot.replacedBytes = slot.memoryBytes;
  slot.memory = fresh;
  slot.memoryBytes = bytes;
  return BROADLOOM_OK;
}

int32_t BroadloomCall::finish() noexcept {
  for (int32_t i = 0; i < numSlots; ++i)
    if (!slots[size_t(i)].returned)
      return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
        return "the function did not return result " + std::to_string(i);
      });
  for (int32_t i = 0; i < numSlots; ++i) {
    Slot &slot = slots[size_t(i)];
    slot.ready = true;
    freeMemory(slot.replaced, slot.replacedBytes);
    slot.replaced = nullptr;
    if (!slot.hasOutput)
      continue;
    if (slot.pending)
      if (int32_t status = copyPending(slot))
        return status;
    // The separate buffer has been copied to the output.
    slot.release();
  }
  return BROADLOOM_OK;
}

MemoryRange broadloom::memoryRange(const BroadloomTensor &tensor) {
  int64_t bytes = getTypeBytes(tensor.elementType);
  int64_t low = tensor.offset, high = tensor.offset;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    int64_t extent = tensor.dims[axis];
    if (extent == 0)
      return MemoryRange();
    int64_t reach = (extent - 1) * tensor.dims[tensor.rank + axis];
    (reach < 0 ? low : high) += reach;
  }
  const char *base = static_cast<const char *>(tensor.data);
  return MemoryRange{base + low * bytes, base + (high + 1) * bytes};
}

bool broadloom::shareMemory(const BroadloomTensor &a,
                            const BroadloomTensor &b) {
  return memoryRange(a).overlaps(memoryRange(b));
}

bool broadloom::hasDistinctElements(const BroadloomTensor &tensor) {
  int32_t order[BROADLOOM_MAX_RANK];
  int32_t rank = 0;
  const int64_t *strides = tensor.dims + tensor.rank;
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.dims[axis] == 0)
      return true;
    if (tensor.dims[axis] > 1)
      order[rank++] = axis;
  }
  std::sort(order, order + rank, [&](int32_t a, int32_t b) {
    return std::abs(strides[a]) < std::abs(strides[b]);
  });
  int64_t reach = 0;
  for (int32_t i = 0; i < rank; ++i) {
    int64_t stride = std::abs(strides[order[i]]);
    if (stride <= reach)
      return false;
    reach += stride * (tensor.dims[order[i]] - 1);
  }
  return true;
}
