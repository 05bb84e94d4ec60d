//===- Slots.h - what the slot of a tensor says -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slots of broadloomLaunch (runtime/abi/Abi.h) beside those of results of
// the function, as compiler and runtime write and read them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_SLOTS_H
#define BROADLOOM_RUNTIME_ABI_SLOTS_H

#include "runtime/abi/Structs.h"

namespace broadloom {

/// The slot that is about operand `operand` of a launch: a temporary that may
/// be written over it, or, behind the program's own operands, a destination.
inline int32_t slotAbout(int32_t operand) { return -2 - operand; }

/// What a slot has besides an operand if it is about a destination whose rows
/// may have gaps between them.
constexpr int32_t kWithGaps = 1 << 24;

/// The slot of a result that nothing but its copy to the destination reads: it
/// may be described with the strides that it has there.
inline int32_t slotWithGaps(int32_t operand) {
  return slotAbout(operand + kWithGaps);
}

/// Whether a slot is an offset in planned memory.
inline bool isOffset(int32_t slot) {
  return slot < BROADLOOM_SLOT_FIRST_OFFSET + BROADLOOM_MOST_PLANNED;
}

/// The operand that a slot is about; negative if it is about none.
inline int32_t operandAbout(int32_t slot) {
  int32_t operand = -2 - slot;
  return operand < 0 ? operand : operand & ~kWithGaps;
}

/// Whether a slot is that of slotWithGaps.
inline bool mayHaveGaps(int32_t slot) {
  return slot < -1 && !isOffset(slot) && ((-2 - slot) & kWithGaps);
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_SLOTS_H
