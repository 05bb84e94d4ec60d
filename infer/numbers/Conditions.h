//===- Conditions.h - comparisons and what is known of them -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons of numbers, the answers that facts give, and conditions as facts.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_CONDITIONS_H
#define BROADLOOM_INFER_NUMBERS_CONDITIONS_H

#include "infer/numbers/Numbers.h"

#include <string_view>

namespace broadloom::infer {

ConditionId equal(Numbers &numbers, const Number &a, const Number &b);
/// a <= b
ConditionId atMost(Numbers &numbers, const Number &a, const Number &b);
/// a < b
ConditionId lessThan(Numbers &numbers, const Number &a, const Number &b);

/// The answer with all current facts, and the fact that decided it, if one
/// did alone.
Answer decide(const Numbers &numbers, ConditionId condition);
inline Truth truthOf(const Numbers &numbers, ConditionId condition) {
  return decide(numbers, condition).truth();
}
bool isNotNegative(const Numbers &numbers, const Number &number);

/// Records that a condition holds from now on, until the end of the innermost
/// Scope; `fact` is a number that Symbols::addFact gave.
void assume(Numbers &numbers, ConditionId condition,
            int32_t fact = Answer::kNoFact);
/// The same; conditions on single symbols are also recorded in the table of
/// symbols, which broadcasts use.
void record(Numbers &numbers, ConditionId condition, std::string_view origin);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_CONDITIONS_H
