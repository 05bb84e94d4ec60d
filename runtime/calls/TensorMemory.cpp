//===- TensorMemory.cpp - memory for the tensors of a call ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a tensor that a function makes goes: to an output, to memory that
// becomes the caller's, to a temporary, to a destination, or to an offset in
// planned memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Slot.h"

using namespace broadloom;

int32_t BroadloomCall::makeBuffer(int32_t index, int64_t elementBytes,
                                  int64_t rank, const int64_t *extents,
                                  int64_t count, char *&data) noexcept {
  int64_t bytes;
  data = nullptr;
  if (count < 0 || __builtin_mul_overflow(count, elementBytes, &bytes))
    return failMemory(extents, rank, elementBytes);
  Slot *slot = index >= 0 && index < numSlots ? &slots[size_t(index)] : nullptr;
  // The result is allocated a second time, for example in a loop; the first
  // buffer may still be read.
  if (slot && slot->made)
    slot = nullptr;
  if (slot && elementBytes != slot->bytes)
    slot = nullptr;
  if (slot && slot->hasOutput) {
    // A result of another shape with as many elements may still be reshaped. An
    // output that cannot fit fails before anything is computed.
    bool same =
        sameExtents(extents, rank, slot->output.dims, slot->output.rank);
    if (!same && count != broadloomTensorCount(&slot->output))
      return checkOutput(index, extents, rank);
    if (same && slot->direct)
      data = slot->outputData();
  }
  // Results are not in the arena, because a launch rewinds that at its end.
  if (slot && !data) {
    slot->memory = allocateMemory(bytes);
    slot->memoryBytes = bytes;
    data = static_cast<char *>(slot->memory);
  } else if (!slot) {
    data = static_cast<char *>(buffers.allocate(bytes));
  }
  if (!data && index == BROADLOOM_SLOT_PLANNED)
    return fail(BROADLOOM_OUT_OF_MEMORY, [&] {
      return "there is no memory for the temporaries of the function, " +
             std::to_string(bytes) + " bytes";
    });
  if (!data)
    return failMemory(extents, rank, elementBytes);
  if (slot) {
    slot->made = true;
    slot->data = data;
  }
  return BROADLOOM_OK;
}

/// Makes the descriptor one of a tensor in the memory of `destination`, with
/// one more reference to it, if its elements have the same order there.
bool BroadloomCall::useDestination(BroadloomDescriptor &descriptor,
                                   const BroadloomView &destination,
                                   int64_t elementBytes, int64_t rank,
                                   const int64_t *extents,
                                   int64_t count) noexcept {
  const BroadloomDescriptor &into = descriptorOf(destination);
  if (countElements(into.dims, destination.rank) != count ||
      !isOneRun(destination, elementBytes))
    return false;
  buffers.retain(into.allocated);
  describeRowMajor(descriptor, into.allocated,
                   elementsOf(destination, elementBytes), extents, rank);
  return true;
}

/// The same for a function's result whose destination is an argument.
bool BroadloomCall::takeInPlace(BroadloomDescriptor &descriptor,
                                const Target &target, int64_t elementBytes,
                                int64_t rank, const int64_t *extents,
                                int64_t count) noexcept {
  Slot &slot = slots[size_t(target.slot)];
  char *data = elementsOf(*target.destination, elementBytes);
  if (!data || data != slot.inPlace || slot.made || slot.hasOutput ||
      !useDestination(descriptor, *target.destination, elementBytes, rank,
                      extents, count))
    return false;
  slot.made = slot.isInPlace = true;
  slot.data = data;
  return true;
}

int32_t BroadloomCall::makeMemory(BroadloomDescriptor &descriptor,
                                  const Target &target, int64_t elementBytes,
                                  int64_t rank, const int64_t *extents,
                                  int64_t count) noexcept {
  if (isOffset(target.slot)) {
    // References to it are not counted, so that it belongs to no block.
    int64_t offset = int64_t(target.slot) - BROADLOOM_SLOT_FIRST_OFFSET;
    // The program's types say that it fits.
    if (count > (plannedBytes - offset) / elementBytes)
      return fail(BROADLOOM_INTERNAL_ERROR,
                  "a result does not fit the memory that was planned for it");
    describeRowMajor(descriptor, nullptr, plannedMemory + offset, extents,
                     rank);
    return BROADLOOM_OK;
  }
  bool isResult = target.slot >= 0 && target.slot < numSlots;
  if (target.destination &&
      (isResult
           ? takeInPlace(descriptor, target, elementBytes, rank, extents, count)
           : useDestination(descriptor, *target.destination, elementBytes, rank,
                            extents, count)))
    return BROADLOOM_OK;
  char *data;
  if (int32_t status =
          makeBuffer(target.slot, elementBytes, rank, extents, count, data))
    return status;
  describeRowMajor(descriptor, data, data, extents, rank);
  return BROADLOOM_OK;
}

int32_t BroadloomCall::makeResult(BroadloomView &result, const Target &target,
                                  int64_t elementBytes, int64_t rank,
                                  const int64_t *extents,
                                  char *&data) noexcept {
  if (int32_t status = makeDescriptor(result, rank))
    return status;
  auto &descriptor = *static_cast<BroadloomDescriptor *>(result.descriptor);
  if (int32_t status = makeMemory(descriptor, target, elementBytes, rank,
                                  extents, countElements(extents, rank)))
    return status;
  data = static_cast<char *>(descriptor.aligned);
  return BROADLOOM_OK;
}

int32_t BroadloomCall::makeDescriptor(BroadloomView &result,
                                      int64_t rank) noexcept {
  if (result.descriptor && result.rank != rank)
    return fail(BROADLOOM_INVALID_ARGUMENT, [&] {
      return "a result of rank " + std::to_string(result.rank) +
             " is expected of operands whose broadcast has rank " +
             std::to_string(rank);
    });
  if (result.descriptor)
    return BROADLOOM_OK;
  result.rank = rank;
  result.descriptor = memory.allocate(descriptorBytes(rank));
  if (result.descriptor)
    return BROADLOOM_OK;
  return failMemory();
}
