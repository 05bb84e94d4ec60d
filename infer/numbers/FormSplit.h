//===- FormSplit.h - a number as a multiple of a form -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts are kept for a form that all numbers share which differ by a factor and
// a constant: a fact about 2*n + 2 is also one about n + 1.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_FORMSPLIT_H
#define BROADLOOM_INFER_NUMBERS_FORMSPLIT_H

#include "infer/numbers/BoundArithmetic.h"

#include <cstdlib>
#include <numeric>

namespace broadloom::infer {

/// number = factor * form + constant, the factor positive or negative.
struct Split {
  Number form;
  int64_t factor = 1;
  int64_t constant = 0;

  explicit Split(const Number &number) : constant(number.constant) {
    int64_t divisor = 0;
    for (const Term &term : number.terms)
      divisor = std::gcd(divisor, term.factor);
    factor = number.terms.front().factor < 0 ? -divisor : divisor;
    for (const Term &term : number.terms)
      form.terms.push_back({term.atoms, term.factor / factor});
  }

  /// The form's bounds if the number has bounds `number`.
  Bounds ofForm(Bounds number) const {
    Bounds shifted = addBounds(number, {-constant, -constant});
    if (factor < 0)
      shifted = {shifted.hi == Bounds::kNone ? -Bounds::kNone : -shifted.hi,
                 shifted.lo == -Bounds::kNone ? Bounds::kNone : -shifted.lo};
    int64_t by = std::abs(factor);
    // lo rounded up, hi rounded down.
    Bounds up = divideBounds(addBounds(shifted, {by - 1, by - 1}), by);
    return {up.lo, divideBounds(shifted, by).hi};
  }
  /// The fact by which the form's bounds make the number at least `least`; no
  /// fact where they do not.
  int32_t findAtLeast(const FormFact *known, int64_t least) const {
    return !known || ofNumber(known->bounds).lo < least ? Answer::kNoFact
           : factor > 0                                 ? known->atLeast
                                                        : known->atMost;
  }
  /// The same for at most `most`.
  int32_t findAtMost(const FormFact *known, int64_t most) const {
    return !known || ofNumber(known->bounds).hi > most ? Answer::kNoFact
           : factor > 0                                ? known->atMost
                                                       : known->atLeast;
  }
  /// The number's bounds if the form has bounds `form`.
  Bounds ofNumber(Bounds form) const {
    return addBounds(multiplyBounds(form, {factor, factor}),
                     {constant, constant});
  }
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_FORMSPLIT_H
