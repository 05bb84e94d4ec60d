//===- TouchedBytes.cpp - how much memory a launch goes over --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/TouchedBytes.h"

#include "runtime/calls/Descriptor.h"

#include <algorithm>

using namespace broadloom;

int64_t broadloom::touchedBytes(const BroadloomView &view,
                                int64_t elementBytes) noexcept {
  const int64_t *extents = descriptorOf(view).dims,
                *strides = extents + view.rank;
  int64_t bytes = elementBytes;
  for (int64_t axis = 0; axis < view.rank; ++axis)
    bytes *= strides[axis] == 0 ? std::min<int64_t>(extents[axis], 1)
                                : extents[axis];
  return bytes;
}

/// Bytes of an element of value `id`, an operand or a result.
static int64_t elementBytesOf(const BroadloomProgram &program, int32_t id) {
  return program.rows ? program.rows->values[id].bytes : program.valueBytes[id];
}

/// The value at `index` among operands and results.
static int32_t valueAt(const BroadloomProgram &program, int32_t index) {
  return index < program.numOperands || program.contraction
             ? index
             : program.results[index - program.numOperands];
}

int64_t broadloom::touchedBytes(const BroadloomProgram &program,
                                const BroadloomView *operands,
                                const BroadloomView *results) noexcept {
  auto bytesOf = [&](int32_t i) {
    return elementBytesOf(program, valueAt(program, i));
  };
  auto isSame = [&](int32_t i, int32_t j) {
    return operands[i].rank == operands[j].rank && bytesOf(i) == bytesOf(j) &&
           elementsOf(operands[i], bytesOf(i)) ==
               elementsOf(operands[j], bytesOf(j)) &&
           std::equal(descriptorOf(operands[i]).dims,
                      descriptorOf(operands[i]).dims + 2 * operands[i].rank,
                      descriptorOf(operands[j]).dims);
  };
  int64_t bytes = 0;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    bool isKnown = false;
    for (int32_t j = 0; j < i; ++j)
      isKnown |= isSame(i, j);
    if (!isKnown)
      bytes += touchedBytes(operands[i], bytesOf(i));
  }
  for (int32_t i = 0; i < program.numResults; ++i)
    bytes += touchedBytes(results[i], bytesOf(program.numOperands + i));
  return bytes;
}
