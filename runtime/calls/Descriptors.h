//===- Descriptors.h - descriptors that a call keeps ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code has no memory for the descriptor of a tensor of unknown rank:
// the call keeps it. A loop may make any number of such tensors, but their
// memory is reused, so that many descriptors are equal; a call keeps one of
// equal descriptors.
//
// Invariant: a kept descriptor does not change, and it lives as long as the
// call.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_DESCRIPTORS_H
#define BROADLOOM_RUNTIME_CALLS_DESCRIPTORS_H

#include "runtime/abi/Abi.h"
#include "runtime/memory/Arena.h"

namespace broadloom {

class Descriptors {
public:
  /// Points `view` to a kept descriptor that equals its own; false if there is
  /// no memory for it.
  bool keep(BroadloomView &view) noexcept;
  /// The number of kept descriptors.
  int64_t size() const noexcept { return count; }
  void reset() noexcept;

private:
  /// The entry of an equal view, or the free one for it.
  BroadloomView &find(const BroadloomView &view) noexcept;
  bool grow() noexcept;

  Arena memory;
  /// A table of `capacity` entries, a power of two; those without a descriptor
  /// are free.
  BroadloomView *entries = nullptr;
  int64_t capacity = 0, count = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_DESCRIPTORS_H
