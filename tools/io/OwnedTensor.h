//===- OwnedTensor.h - a tensor with an owner, and its elements -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: an OwnedTensor is released exactly once, by its last holder.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TOOLS_IO_OWNEDTENSOR_H
#define BROADLOOM_TOOLS_IO_OWNEDTENSOR_H

#include "runtime/calls/Tensor.h"
#include "tools/io/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace broadloom::io {

/// A tensor of the C API that is released when its owner is destroyed.
class OwnedTensor {
public:
  OwnedTensor() = default;
  /// Takes ownership of `tensor`, which the caller must not release.
  explicit OwnedTensor(const BroadloomTensor &tensor) : tensor(tensor) {}
  OwnedTensor(OwnedTensor &&other) noexcept : tensor(other.take()) {}
  OwnedTensor &operator=(OwnedTensor &&other) noexcept;
  ~OwnedTensor() { broadloomTensorRelease(&tensor); }

  BroadloomTensor &operator*() { return tensor; }
  const BroadloomTensor &operator*() const { return tensor; }
  BroadloomTensor *operator->() { return &tensor; }
  const BroadloomTensor *operator->() const { return &tensor; }

  /// Hands the tensor to the caller, who releases it.
  BroadloomTensor take();

private:
  BroadloomTensor tensor{};
};

/// A row-major tensor with uninitialised memory, or an error: too many axes, a
/// negative extent, a size that overflows or exceeds the machine's memory. The
/// caller prefixes the message with the purpose of the tensor.
Result<OwnedTensor> createTensor(BroadloomElementType type,
                                 const std::vector<int64_t> &extents);

/// "2x3xf32"; "f32" for rank 0.
std::string shapeText(BroadloomElementType type,
                      const std::vector<int64_t> &extents);

/// Address of the element at `index`, one number per axis, each in bounds.
const char *elementAddress(const BroadloomTensor &tensor, const int64_t *index);

/// Whether the elements lie one after the other in row-major order.
bool isRowMajor(const BroadloomTensor &tensor);

/// Reads the elements of a tensor of any strides in row-major order. The tensor
/// must outlive it.
class RowMajorReader {
public:
  explicit RowMajorReader(const BroadloomTensor &tensor);
  /// Copies up to `limit` elements to `buffer`; returns how many, 0 at the end.
  size_t read(char *buffer, size_t limit);

private:
  const BroadloomTensor &tensor;
  size_t elementBytes;
  int64_t remaining;
  std::vector<int64_t> index;
};

} // namespace broadloom::io

#endif // BROADLOOM_TOOLS_IO_OWNEDTENSOR_H
