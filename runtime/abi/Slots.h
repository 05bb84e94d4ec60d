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

/// The operand that a slot is about; negative if it is about none.
inline int32_t operandAbout(int32_t slot) { return -2 - slot; }

/// Whether a slot is an offset in planned memory.
inline bool isOffset(int32_t slot) {
  return slot < BROADLOOM_SLOT_FIRST_OFFSET + BROADLOOM_MOST_PLANNED;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_SLOTS_H
