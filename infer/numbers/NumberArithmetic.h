//===- NumberArithmetic.h - arithmetic of numbers ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact arithmetic, and arithmetic of words of 64 bits.
//
// Overflow is a result: a sum, a difference or a product of two constants that
// does not fit 64 bits is nothing. Every other result that does not fit is an
// atom, and bounds tell whether it is a word (NumberBounds.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_NUMBERARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include <optional>

namespace broadloom::infer {

[[nodiscard]] std::optional<Number> add(Numbers &numbers, const Number &a,
                                        const Number &b);
[[nodiscard]] std::optional<Number> subtract(Numbers &numbers, const Number &a,
                                             const Number &b);
[[nodiscard]] std::optional<Number> multiply(Numbers &numbers, const Number &a,
                                             const Number &b);
/// The same, and nothing if an operand is nothing.
[[nodiscard]] std::optional<Number> add(Numbers &numbers,
                                        const std::optional<Number> &a,
                                        const std::optional<Number> &b);
[[nodiscard]] std::optional<Number> subtract(Numbers &numbers,
                                             const std::optional<Number> &a,
                                             const std::optional<Number> &b);
[[nodiscard]] std::optional<Number> multiply(Numbers &numbers,
                                             const std::optional<Number> &a,
                                             const std::optional<Number> &b);
/// The number; an unknown one if it is nothing.
Number orUnknown(Numbers &numbers, const std::optional<Number> &number);

/// -number
Number negate(Numbers &numbers, const Number &number);
/// Rounded down; the divisor must not be 0.
Number divide(Numbers &numbers, const Number &a, const Number &b);
/// Rounded up.
Number ceilDivide(Numbers &numbers, const Number &a, const Number &b);
/// With the sign of the divisor, which must not be 0.
Number remainder(Numbers &numbers, const Number &a, const Number &b);
/// Rounded toward 0.
Number truncatedDivide(Numbers &numbers, const Number &a, const Number &b);
Number truncatedRemainder(Numbers &numbers, const Number &a, const Number &b);
Number minimum(Numbers &numbers, const Number &a, const Number &b);
Number maximum(Numbers &numbers, const Number &a, const Number &b);
Number bitAnd(Numbers &numbers, const Number &a, const Number &b);
/// `a` if the condition holds, else `b`.
Number select(Numbers &numbers, ConditionId condition, const Number &a,
              const Number &b);

/// Arithmetic of words, which wraps: the exact result if it is known to be a
/// word, else a Kind::Word.
Number addWords(Numbers &numbers, const Number &a, const Number &b);
Number subtractWords(Numbers &numbers, const Number &a, const Number &b);
Number multiplyWords(Numbers &numbers, const Number &a, const Number &b);
/// The word that is congruent to `number`.
Number wrap(Numbers &numbers, const Number &number);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERARITHMETIC_H
