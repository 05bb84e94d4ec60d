//===- CountFormula.cpp - sums of polynomials over intervals --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/CountFormula.h"

#include "poly/Checked.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool add(const Rising &piece, Wide of, Wide &sum) {
  if (of <= 0)
    return true;
  Wide product = piece.coefficient;
  for (unsigned i = 0; i < piece.power; ++i)
    if (!multiply(product, of + i, product))
      return false;
  return !__builtin_add_overflow(sum, product, &sum);
}

std::optional<int64_t>
CountFormula::evaluate(const std::vector<int64_t> &values) const {
  auto get = [&](Variable variable) -> std::optional<int64_t> {
    return variable < values.size() ? std::optional(values[variable])
                                    : std::nullopt;
  };
  std::optional<Wide> sum = polynomial.evaluate(get);
  for (const Rising &piece : pieces) {
    std::optional<Wide> of = piece.of.evaluate(get);
    if (!sum || !of || !fitsWord(*of) || !::add(piece, *of, *sum))
      return std::nullopt;
  }
  if (!sum || *sum % divisor != 0 || !fitsWord(*sum / divisor))
    return std::nullopt;
  return int64_t(*sum / divisor);
}

/// The greatest absolute value where that of each variable is at most `most`.
static double getMagnitude(const Form &form, double most) {
  double sum = std::abs(double(form.getConstant()));
  for (const Form::Term &term : form.getTerms())
    sum += std::abs(double(term.coefficient)) *
           std::pow(most, term.monomial.getDegree());
  return sum;
}

double poly::getMagnitude(const CountFormula &formula, double most) {
  double sum = ::getMagnitude(formula.polynomial, most);
  for (const Rising &piece : formula.pieces)
    sum += std::abs(double(piece.coefficient)) *
           std::pow(::getMagnitude(piece.of, most) + piece.power, piece.power);
  return sum;
}

//===----------------------------------------------------------------------===//
// Common divisors
//===----------------------------------------------------------------------===//

static Form scale(const Form &form, int64_t by) {
  return Form::combine(by, form, 0, Form());
}

/// With a divisor that is `by` times as large.
static bool expand(CountFormula &formula, int64_t by) {
  formula.polynomial = scale(formula.polynomial, by);
  bool fits = formula.polynomial.isExact() &&
              !__builtin_mul_overflow(formula.divisor, by, &formula.divisor);
  for (Rising &piece : formula.pieces)
    fits &= !__builtin_mul_overflow(piece.coefficient, by, &piece.coefficient);
  return fits;
}

bool poly::add(CountFormula &to, CountFormula other) {
  int64_t common = std::lcm(to.divisor, other.divisor);
  if (!expand(to, common / to.divisor) ||
      !expand(other, common / other.divisor))
    return false;
  to.polynomial = to.polynomial + other.polynomial;
  to.pieces.insert(to.pieces.end(), other.pieces.begin(), other.pieces.end());
  return to.polynomial.isExact();
}

void poly::reduce(CountFormula &formula) {
  int64_t by = std::gcd(formula.divisor, formula.polynomial.getDivisor());
  by = std::gcd(by, formula.polynomial.getConstant());
  for (const Rising &piece : formula.pieces)
    by = std::gcd(by, piece.coefficient);
  if (by <= 1)
    return;
  formula.divisor /= by;
  formula.polynomial = formula.polynomial.divide(by);
  for (Rising &piece : formula.pieces)
    piece.coefficient /= by;
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

/// A value of variable 0 from which on a linear form keeps its sign; nothing if
/// it is none of that variable.
static std::optional<int64_t> getLastSign(const Form &form) {
  auto [slope, rest] = form.split(0);
  if (!slope.isConstant() || !rest.isConstant())
    return std::nullopt;
  int64_t a = slope.getConstant(), b = rest.getConstant();
  return a == 0 ? 0 : std::abs(b / a) + 1;
}

/// The formula for values of variable 0 from `first` on, where pieces have the
/// signs that they have there.
static std::optional<Form> getPolynomialFrom(const CountFormula &formula,
                                             int64_t first) {
  Form sum = formula.polynomial;
  for (const Rising &piece : formula.pieces) {
    Form value = piece.of.substitute(0, first);
    if (!value.isConstant())
      return std::nullopt;
    auto slope = piece.of.split(0).first.getConstant();
    if (value.getConstant() < 0 || (value.getConstant() == 0 && slope <= 0))
      continue;
    Form product = piece.coefficient;
    for (unsigned i = 0; i < piece.power; ++i)
      product = product * (piece.of + int64_t(i));
    sum = sum + product;
  }
  return sum.isExact() ? std::optional(sum) : std::nullopt;
}

/// Whether a polynomial of variable 0 is positive for all values from 0 on,
/// because no coefficient is negative.
static bool isPositive(const Form &polynomial) {
  return polynomial.isExact() && polynomial.getConstant() > 0 &&
         std::all_of(
             polynomial.getTerms().begin(), polynomial.getTerms().end(),
             [](const Form::Term &term) { return term.coefficient >= 0; });
}

bool poly::increases(const CountFormula &formula) {
  constexpr int64_t most = 1024;
  int64_t first = 0;
  for (const Rising &piece : formula.pieces) {
    std::optional<int64_t> last = getLastSign(piece.of);
    if (!last)
      return false;
    first = std::max(first, *last);
  }
  std::optional<Form> polynomial = getPolynomialFrom(formula, first);
  if (!polynomial)
    return false;
  int64_t compared = 0;
  for (; first <= most; first = 2 * first + 1) {
    for (; compared < first; ++compared) {
      std::optional<int64_t> value = formula.evaluate({compared}),
                             next = formula.evaluate({compared + 1});
      if (!value || !next || *next <= *value)
        return false;
    }
    Form value = Form::variable(0) + first;
    if (isPositive(polynomial->substitute(0, value + 1) -
                   polynomial->substitute(0, value)))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// 12 times the sum of x to the power of `power` for x from 0 to `most`, where
/// -1 gives 0.
static Form sumOfPowers(size_t power, const Form &most) {
  Form next = most + 1;
  switch (power) {
  case 0:
    return scale(next, 12);
  case 1:
    return scale(most * next, 6);
  case 2:
    return scale(most * next * (scale(most, 2) + 1), 2);
  case 3:
    return scale(most * most * next * next, 3);
  default:
    return Form::inexact();
  }
}

static Form sumPolynomial(Form polynomial, Variable over, const Form &first,
                          const Form &last) {
  Form sum;
  for (size_t power = 0; !(polynomial == Form(0)); ++power) {
    auto [higher, coefficient] = polynomial.split(over);
    if (!(coefficient == Form(0)))
      sum = sum + coefficient * (sumOfPowers(power, last) -
                                 sumOfPowers(power, first - 1));
    polynomial = higher;
    if (!sum.isExact() || power > 4)
      return Form::inexact();
  }
  return sum;
}

/// Adds 12 times the sum of a piece. The rising factorial of one power is the
/// sum of those of the power below, times the power.
static bool sumPiece(const Rising &piece, Variable over, const Form &first,
                     const Form &last, CountFormula &sum) {
  auto [coefficient, rest] = piece.of.split(over);
  int64_t by;
  if (!coefficient.isConstant() ||
      __builtin_mul_overflow(piece.coefficient, 12, &by))
    return false;
  auto append = [&](int64_t sign, const Form &of) {
    sum.pieces.push_back(
        {sign * by / int64_t(piece.power + 1), piece.power + 1, of});
  };
  switch (coefficient.getConstant()) {
  case 1:
    append(1, last + rest);
    append(-1, first - 1 + rest);
    return true;
  case -1:
    append(1, rest - first);
    append(-1, rest - last - 1);
    return true;
  case 0: {
    // As often as there are numbers in between, of a number that is known.
    if (!piece.of.isConstant())
      return false;
    Wide times = 0;
    if (!::add({by, piece.power, Form()}, piece.of.getConstant(), times) ||
        !fitsWord(times))
      return false;
    sum.polynomial = sum.polynomial + scale(last - first + 1, int64_t(times));
    return true;
  }
  default:
    return false;
  }
}

std::optional<CountFormula> poly::sumOver(const CountFormula &formula,
                                          Variable variable, const Form &first,
                                          const Form &last) {
  CountFormula sum;
  sum.polynomial = sumPolynomial(formula.polynomial, variable, first, last);
  for (const Rising &piece : formula.pieces)
    if (piece.power > 3 || !sumPiece(piece, variable, first, last, sum))
      return std::nullopt;
  if (!sum.polynomial.isExact() ||
      __builtin_mul_overflow(formula.divisor, 12, &sum.divisor))
    return std::nullopt;
  reduce(sum);
  return sum;
}
