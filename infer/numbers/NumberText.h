//===- NumberText.h - numbers and conditions as text ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers and conditions as users read them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_NUMBERTEXT_H
#define BROADLOOM_INFER_NUMBERS_NUMBERTEXT_H

#include "infer/numbers/Numbers.h"

#include <functional>
#include <string>

namespace broadloom::infer {

/// `4`, `n`, `2*n + 1`, `(n + 1) / 4`; with `?` for numbers without a short
/// name.
std::string toString(const Numbers &numbers, const Number &number);
/// With other names for symbols, and names for unknown numbers.
std::string toString(const Numbers &numbers, const Number &number,
                     const std::function<std::string(AtomId)> &nameOf);
/// `n = m`, `n mod 4 = 0 or n <= 3`; empty if there is no short text.
std::string describe(const Numbers &numbers, ConditionId condition);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_NUMBERTEXT_H
