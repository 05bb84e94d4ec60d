//===- Descriptor.h - reading and writing descriptors -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The descriptors of the C ABI (Abi.h), whose number of extents and strides is
// the rank of their view.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_DESCRIPTOR_H
#define BROADLOOM_RUNTIME_CALLS_DESCRIPTOR_H

#include "runtime/abi/Abi.h"
#include "runtime/abi/Slots.h"
#include "runtime/memory/Space.h"

namespace broadloom {

inline const BroadloomDescriptor &descriptorOf(const BroadloomView &view) {
  return *static_cast<const BroadloomDescriptor *>(view.descriptor);
}

/// The address of the first element of a view.
inline char *elementsOf(const BroadloomView &view, int64_t elementBytes) {
  const BroadloomDescriptor &descriptor = descriptorOf(view);
  return static_cast<char *>(descriptor.aligned) +
         descriptor.offset * elementBytes;
}

/// Whether the elements of a view are consecutive in row-major order, and
/// aligned: to the largest power of two that divides their size.
inline bool isOneRun(const BroadloomView &view, int64_t elementBytes) {
  const int64_t *extents = descriptorOf(view).dims;
  return isAligned(elementsOf(view, elementBytes),
                   elementBytes & -elementBytes) &&
         isRowMajor(extents, extents + view.rank, view.rank);
}

/// Whether two views of the same extents have the same elements in memory.
inline bool isSamePlace(const BroadloomView &a, const BroadloomView &b,
                        int64_t elementBytes) {
  const int64_t *extents = descriptorOf(a).dims;
  return elementsOf(a, elementBytes) == elementsOf(b, elementBytes) &&
         haveSameStrides(extents, extents + a.rank,
                         descriptorOf(b).dims + a.rank, a.rank);
}

/// The size of a descriptor of `rank` axes in bytes.
inline int64_t descriptorBytes(int64_t rank) {
  return int64_t(sizeof(BroadloomDescriptor)) + 16 * rank;
}

/// Makes `descriptor` describe a row-major tensor at `data`, in the allocation
/// that begins at `allocated`.
inline void describeRowMajor(BroadloomDescriptor &descriptor, void *allocated,
                             void *data, const int64_t *extents, int64_t rank) {
  descriptor.allocated = allocated;
  descriptor.aligned = data;
  descriptor.offset = 0;
  for (int64_t axis = 0; axis < rank; ++axis)
    descriptor.dims[axis] = extents[axis];
  rowMajorStrides(extents, rank, descriptor.dims + rank);
}

/// Whether the view has `rank` axes, of these extents; -1 stands for any.
inline bool fits(const BroadloomView &view, int64_t rank,
                 const int64_t *extents) {
  if (view.rank != rank)
    return false;
  const int64_t *actual = descriptorOf(view).dims;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (extents[axis] >= 0 && extents[axis] != actual[axis])
      return false;
  return true;
}

/// Where a new tensor goes: to the function result or temporary of `slot`, or,
/// if it is not null and is row-major, to `destination` (broadloomLaunch).
struct Target {
  int32_t slot;
  const BroadloomView *destination;
};

/// The target of a launch's result.
inline Target targetOf(const BroadloomProgram &program,
                       const BroadloomView *operands, int32_t slot) {
  int32_t operand = operandAbout(slot);
  bool isDestination = operand >= program.numOperands && !isOffset(slot);
  return {slot, isDestination ? operands + operand : nullptr};
}

/// The destination that the slot of a launch's only result is about, if its
/// rows may have gaps between them (slotWithGaps) and it has `rank` axes; else
/// null.
inline const BroadloomView *gapsOf(const BroadloomProgram &program,
                                   const BroadloomView *operands, int32_t slot,
                                   int64_t rank) {
  if (program.numResults != 1 || !mayHaveGaps(slot))
    return nullptr;
  const BroadloomView *view = operands + operandAbout(slot);
  return view->rank == rank && rank != 0 ? view : nullptr;
}

/// Makes `descriptor` describe the elements of a view, in their allocation.
inline void describeElements(BroadloomDescriptor &descriptor,
                             const BroadloomView &view, int64_t elementBytes) {
  const BroadloomDescriptor &own = descriptorOf(view);
  descriptor.allocated = own.allocated;
  descriptor.aligned = elementsOf(view, elementBytes);
  descriptor.offset = 0;
  for (int64_t i = 0; i < 2 * view.rank; ++i)
    descriptor.dims[i] = own.dims[i];
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_DESCRIPTOR_H
