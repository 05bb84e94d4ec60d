//===- CountFormula.h - sums of polynomials over intervals ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_COUNTFORMULA_H
#define BROADLOOM_POLY_COUNTFORMULA_H

#include "poly/Form.h"

namespace broadloom::poly {

/// coefficient * y (y + 1) ... (y + power - 1), where y is the value of `of` if
/// that is positive, and else 0.
struct Rising {
  int64_t coefficient;
  unsigned power;
  Form of;
};

/// The sum of a polynomial and of rising factorials, by a divisor that divides
/// it at each point.
struct CountFormula {
  Form polynomial;
  std::vector<Rising> pieces = {};
  int64_t divisor = 1;

  bool isConstant() const { return polynomial.isConstant() && pieces.empty(); }
  /// By the values of the variables; nothing where a number does not fit.
  std::optional<int64_t> evaluate(const std::vector<int64_t> &values) const;
};

/// The greatest absolute value of the numerator where that of each variable is
/// at most `most`.
double getMagnitude(const CountFormula &formula, double most);

/// False where a coefficient does not fit.
bool add(CountFormula &to, CountFormula other);
/// By a common divisor of all coefficients.
void reduce(CountFormula &formula);

/// Whether a formula of variable 0 alone has for each value from 1 on more than
/// for the one before; false where that is not known.
bool increases(const CountFormula &formula);

/// The sum for a variable from `first` to `last`, which may be one less than
/// `first`. Nothing where it is no such formula.
std::optional<CountFormula> sumOver(const CountFormula &formula,
                                    Variable variable, const Form &first,
                                    const Form &last);

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_COUNTFORMULA_H
