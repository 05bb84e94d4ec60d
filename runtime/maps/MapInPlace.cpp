//===- MapInPlace.cpp - results that are written over operands ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"

#include <algorithm>

using namespace broadloom;

namespace {

/// Whether a view has just these extents, in row-major order.
bool isPlain(const BroadloomView &view, const int64_t *extents, int64_t rank) {
  const BroadloomDescriptor &descriptor = descriptorOf(view);
  return view.rank == rank && descriptor.offset == 0 &&
         std::equal(extents, extents + rank, descriptor.dims) &&
         isRowMajor(extents, descriptor.dims + rank, rank);
}

} // namespace

/// The memory of the operand that `slot` names, if the result can be written
/// over it: it is a temporary without later readers, each of its elements is
/// read only for the same element of the result, and no other operand shares
/// the memory.
char *MapLaunch::findOwnMemory(int32_t slot, int32_t bytes) {
  int32_t chosen = operandAbout(slot);
  if (chosen < 0 || chosen >= program.numOperands ||
      count * bytes < BROADLOOM_LEAST_OVERWRITTEN || program.numResults != 1 ||
      program.results[0] < program.numOperands ||
      program.valueBytes[chosen] != bytes ||
      !isPlain(operands[chosen], extents, rank))
    return nullptr;
  char *memory = operandData(chosen), *end = memory + count * bytes;
  if (!call.temporaries().isOwn(memory, count * bytes))
    return nullptr;
  for (int32_t i = 0; i < program.numOperands; ++i) {
    // Other views of a temporary have the same allocated pointer.
    auto *begin = static_cast<char *>(descriptorOf(operands[i]).aligned);
    bool isSame = operandData(i) == memory && program.valueBytes[i] == bytes &&
                  isPlain(operands[i], extents, rank);
    if (begin >= memory && begin < end && !isSame)
      return nullptr;
  }
  return memory;
}

/// Whether an operand begins at `data`. In planned memory the result is then
/// written over it: each element is read for the same element of the result.
bool MapLaunch::isOperand(const char *data) const {
  if (count * program.valueBytes[program.results[0]] <
      BROADLOOM_LEAST_OVERWRITTEN)
    return false;
  for (int32_t i = 0; i < program.numOperands; ++i)
    if (operandData(i) == data)
      return true;
  return false;
}
