//===- NumberBounds.h - bounds of numbers -----------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounds of numbers with the facts that hold, within 64 bits and beyond.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERBOUNDS_H
#define BROADLOOM_INFER_NUMBERS_NUMBERBOUNDS_H

#include "infer/numbers/Numbers.h"

namespace broadloom::infer {

Bounds boundsOf(const Numbers &numbers, const Number &number);
WideBounds wideBoundsOf(const Numbers &numbers, const Number &number);

/// Whether a number is known to be a word.
inline bool isWord(const Numbers &numbers, const Number &number) {
  return wideBoundsOf(numbers, number).isInWord();
}

/// The condition that 64-bit arithmetic computes `number`: it is a word, and
/// so is each part of it that is divided, compared or chosen. ext-5
ConditionId isComputable(Numbers &numbers, const Number &number);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERBOUNDS_H
