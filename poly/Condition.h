//===- Condition.h - a condition on symbols ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conjunction of clauses, each of which is a disjunction of forms that are
// not negative. Forms are of symbols, of quotients by constants, and of
// products of both, which their space describes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_CONDITION_H
#define BROADLOOM_POLY_CONDITION_H

#include "poly/Space.h"

namespace broadloom::poly {

/// One of these forms is not negative; never if there are none.
using Clause = std::vector<Form>;

struct Condition {
  Space space;
  std::vector<Clause> clauses;

  bool isTrue() const { return clauses.empty(); }

  /// Whether the condition holds, by the values of the symbols, in the order of
  /// their variables; nothing where a number does not fit.
  std::optional<bool> evaluate(const std::vector<int64_t> &values) const;

  /// "n - m >= 0 and (k - 1 >= 0 or n >= 0)"
  std::string print() const;
};

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_CONDITION_H
