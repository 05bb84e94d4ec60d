//===- OwnedTensor.cpp - a tensor with an owner, and its elements ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/OwnedTensor.h"
#include "runtime/memory/SystemMemory.h"

#include <algorithm>
#include <cstring>

using namespace broadloom::io;

OwnedTensor &OwnedTensor::operator=(OwnedTensor &&other) noexcept {
  if (this != &other) {
    broadloomTensorRelease(&tensor);
    tensor = other.take();
  }
  return *this;
}

BroadloomTensor OwnedTensor::take() {
  BroadloomTensor taken = tensor;
  tensor = BroadloomTensor{};
  return taken;
}

std::string broadloom::io::shapeText(BroadloomElementType type,
                                     const std::vector<int64_t> &extents) {
  std::string text;
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + broadloomElementTypeName(type);
}

Result<OwnedTensor>
broadloom::io::createTensor(BroadloomElementType type,
                            const std::vector<int64_t> &extents) {
  if (extents.size() > BROADLOOM_MAX_RANK)
    return Failure{"a shape of " + std::to_string(extents.size()) +
                   " axes is given, but at most " +
                   std::to_string(BROADLOOM_MAX_RANK) + " are supported"};
  // Extents of 0 count as 1, because the strides must fit too.
  int64_t span = broadloomElementBytes(type);
  bool empty = false;
  for (int64_t extent : extents) {
    if (extent < 0)
      return Failure{shapeText(type, extents) + " has the negative extent " +
                     std::to_string(extent)};
    empty |= extent == 0;
    if (__builtin_mul_overflow(span, std::max<int64_t>(extent, 1), &span))
      return Failure{"the size of " + shapeText(type, extents) +
                     " overflows 63 bits"};
  }
  // The system overcommits memory, and ends the process when the memory is
  // used.
  int64_t limit = totalMemory();
  if (!empty && span > limit)
    return Failure{shapeText(type, extents) + " needs " + std::to_string(span) +
                   " bytes, but there are only " + std::to_string(limit) +
                   " bytes of memory"};
  BroadloomTensor tensor{};
  int32_t status = broadloomTensorCreate(
      type, static_cast<int32_t>(extents.size()), extents.data(), &tensor);
  if (status != BROADLOOM_OK)
    return Failure{"no memory for the " + std::to_string(span) + " bytes of " +
                   shapeText(type, extents)};
  return OwnedTensor(tensor);
}

const char *broadloom::io::elementAddress(const BroadloomTensor &tensor,
                                          const int64_t *index) {
  const int64_t *strides = tensor.dims + tensor.rank;
  int64_t offset = tensor.offset;
  for (int32_t axis = 0; axis < tensor.rank; ++axis)
    offset += index[axis] * strides[axis];
  return static_cast<const char *>(tensor.data) +
         offset * broadloomElementBytes(tensor.elementType);
}

bool broadloom::io::isRowMajor(const BroadloomTensor &tensor) {
  if (broadloomTensorCount(&tensor) == 0)
    return true;
  int64_t expected = 1;
  for (int32_t axis = tensor.rank - 1; axis >= 0; --axis) {
    int64_t extent = tensor.dims[axis];
    // The stride of an axis of extent 1 is never used.
    if (extent != 1 && tensor.dims[tensor.rank + axis] != expected)
      return false;
    expected *= extent;
  }
  return true;
}

RowMajorReader::RowMajorReader(const BroadloomTensor &tensor)
    : tensor(tensor), elementBytes(broadloomElementBytes(tensor.elementType)),
      remaining(broadloomTensorCount(&tensor)), index(tensor.rank, 0) {}

size_t RowMajorReader::read(char *buffer, size_t limit) {
  size_t count = std::min<uint64_t>(limit, std::max<int64_t>(remaining, 0));
  int32_t last = tensor.rank - 1;
  for (size_t done = 0; done < count;) {
    const char *source = elementAddress(tensor, index.data());
    // One run along the last axis, then a step of the outer ones.
    int64_t run = 1, stride = 1;
    if (last >= 0) {
      run = std::min<int64_t>(tensor.dims[last] - index[last], count - done);
      stride = tensor.dims[tensor.rank + last];
    }
    char *target = buffer + done * elementBytes;
    if (stride == 1) {
      std::memcpy(target, source, run * elementBytes);
    } else {
      for (int64_t i = 0; i < run; ++i)
        std::memcpy(target + i * elementBytes,
                    source + i * stride * static_cast<int64_t>(elementBytes),
                    elementBytes);
    }
    done += run;
    if (last >= 0)
      index[last] += run;
    for (int32_t axis = last; axis > 0 && index[axis] == tensor.dims[axis];
         --axis) {
      index[axis] = 0;
      ++index[axis - 1];
    }
  }
  remaining -= count;
  return count;
}
