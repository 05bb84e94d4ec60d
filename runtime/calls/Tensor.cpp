//===- Tensor.cpp - tensors as callers see them ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Tensor.h"

#include "runtime/calls/ElementFacts.h"
#include "runtime/calls/Slot.h"
#include "runtime/memory/Allocator.h"
#include "runtime/memory/Space.h"

#include <algorithm>

using namespace broadloom;

namespace {

/// `manager` of a tensor with memory of its own is the memory's size.
void releaseOwn(BroadloomTensor *tensor) {
  freeMemory(tensor->allocated,
             int64_t(reinterpret_cast<intptr_t>(tensor->manager)));
}

void setEmpty(BroadloomTensor *tensor) {
  tensor->elementType = BROADLOOM_F32;
  tensor->rank = 0;
  tensor->release = nullptr;
  tensor->manager = tensor->allocated = tensor->data = nullptr;
  tensor->offset = 0;
}

} // namespace

int64_t broadloomElementBytes(BroadloomElementType type) {
  return getTypeBytes(type);
}

const char *broadloomElementTypeName(BroadloomElementType type) {
  return isElementType(type) ? kElementFacts[type].name : "unknown";
}

int64_t broadloomTensorCount(const BroadloomTensor *tensor) {
  return countElements(tensor->dims, tensor->rank);
}

void broadloom::adoptMemory(void *memory, int64_t memoryBytes,
                            BroadloomElementType type, int32_t rank,
                            const int64_t *extents, BroadloomTensor *out) {
  out->elementType = type;
  out->rank = rank;
  out->release = releaseOwn;
  out->manager = reinterpret_cast<void *>(intptr_t(memoryBytes));
  out->allocated = memory;
  out->data = memory;
  out->offset = 0;
  std::copy(extents, extents + rank, out->dims);
  rowMajorStrides(extents, rank, out->dims + rank);
}

int32_t broadloomTensorCreate(BroadloomElementType type, int32_t rank,
                              const int64_t *extents, BroadloomTensor *out) {
  setEmpty(out);
  if (!isElementType(type) || rank < 0 || rank > BROADLOOM_MAX_RANK ||
      std::any_of(extents, extents + rank, [](int64_t e) { return e < 0; }))
    return BROADLOOM_INVALID_ARGUMENT;
  int64_t count = countElements(extents, rank), bytes;
  if (count < 0 ||
      __builtin_mul_overflow(count, broadloomElementBytes(type), &bytes))
    return BROADLOOM_OUT_OF_MEMORY;
  void *memory = allocateMemory(bytes);
  if (!memory)
    return BROADLOOM_OUT_OF_MEMORY;
  adoptMemory(memory, bytes, type, rank, extents, out);
  return BROADLOOM_OK;
}

int32_t broadloomTensorBorrow(BroadloomElementType type, int32_t rank,
                              const int64_t *extents, const int64_t *strides,
                              void *data, BroadloomTensor *out) {
  setEmpty(out);
  if (!isElementType(type) || rank < 0 || rank > BROADLOOM_MAX_RANK ||
      std::any_of(extents, extents + rank, [](int64_t e) { return e < 0; }))
    return BROADLOOM_INVALID_ARGUMENT;
  out->elementType = type;
  out->rank = rank;
  out->allocated = out->data = data;
  std::copy(extents, extents + rank, out->dims);
  if (strides)
    std::copy(strides, strides + rank, out->dims + rank);
  else
    rowMajorStrides(extents, rank, out->dims + rank);
  return BROADLOOM_OK;
}

void broadloomTensorRelease(BroadloomTensor *tensor) {
  if (tensor->release)
    tensor->release(tensor);
  setEmpty(tensor);
}
