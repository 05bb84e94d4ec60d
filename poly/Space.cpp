//===- Space.cpp - the variables of a question ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Space.h"

#include "poly/Checked.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

Form Space::add(Entry entry) {
  // Monomials number factors from 1.
  if (variables.size() >= std::numeric_limits<Variable>::max())
    return Form::inexact();
  variables.push_back(std::move(entry));
  return Form::variable(Variable(variables.size() - 1));
}

Form Space::addSymbol(std::string name) {
  return add({std::move(name), false, std::nullopt});
}

Form Space::addUnknown(std::string name) {
  return add({std::move(name), true, std::nullopt});
}

/// The terms whose coefficients `divisor` does not divide, with the remainders
/// of these; `whole` is the quotient of all the rest.
static Form takeRemainder(const Form &form, int64_t divisor, Form &whole) {
  // A quotient times the divisor may not fit, what is left does.
  auto getRest = [&](int64_t value, int64_t quotient) {
    return int64_t(value - Wide(quotient) * divisor);
  };
  Form remainder;
  for (const Form::Term &term : form.getTerms()) {
    Form product = 1;
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i)
      product = product * Form::variable(term.monomial.getFactor(i));
    int64_t quotient = floorDivide(term.coefficient, divisor);
    whole = Form::combine(1, whole, quotient, product);
    remainder = Form::combine(1, remainder, getRest(term.coefficient, quotient),
                              product);
  }
  int64_t quotient = floorDivide(form.getConstant(), divisor);
  whole = whole + quotient;
  return remainder.withConstant(getRest(form.getConstant(), quotient));
}

Form Space::floorDivide(const Form &numerator, int64_t divisor) {
  if (!numerator.isExact() || divisor < 1)
    return Form::inexact();
  Form whole;
  Form rest = takeRemainder(numerator, divisor, whole);
  if (rest.isConstant() || !rest.isExact() || !whole.isExact())
    return rest.isExact() ? whole : rest;
  int64_t common = std::gcd(rest.getDivisor(), divisor);
  rest = rest.divide(common);
  divisor /= common;
  for (size_t i = 0; i < variables.size(); ++i)
    if (const Quotient *known = getQuotient(Variable(i));
        known && known->divisor == divisor && known->numerator == rest)
      return whole + Form::variable(Variable(i));
  bool isUnknown = hasUnknown(rest);
  return whole + add({"", isUnknown, Quotient{std::move(rest), divisor}});
}

static int64_t getCoefficient(const Form &form, Monomial monomial) {
  for (const Form::Term &term : form.getTerms())
    if (term.monomial == monomial)
      return term.coefficient;
  return 0;
}

int64_t Space::countRemainders(const Form &form, Variable variable) const {
  const Quotient &quotient = *getQuotient(variable);
  int64_t coefficient = getCoefficient(form, Monomial(variable));
  if (coefficient % quotient.divisor != 0)
    return 0;
  int64_t times = -(coefficient / quotient.divisor);
  for (const Form::Term &term : quotient.numerator.getTerms()) {
    int64_t product;
    if (__builtin_mul_overflow(times, term.coefficient, &product) ||
        getCoefficient(form, term.monomial) != product)
      return 0;
  }
  return takeRemainders(form, variable, times).isExact() ? times : 0;
}

Form Space::takeRemainders(const Form &form, Variable variable,
                           int64_t times) const {
  const Quotient &quotient = *getQuotient(variable);
  return Form::combine(1, form, -times,
                       Form::combine(1, quotient.numerator, -quotient.divisor,
                                     Form::variable(variable)));
}

bool Space::hasUnknown(const Monomial &monomial) const {
  for (unsigned i = 0; i < monomial.getDegree(); ++i)
    if (isUnknown(monomial.getFactor(i)))
      return true;
  return false;
}

bool Space::hasUnknown(const Form &form) const {
  for (const Form::Term &term : form.getTerms())
    if (hasUnknown(term.monomial))
      return true;
  return false;
}

void Space::addDefinition(Variable variable, Rows &rows) const {
  const Quotient &quotient = *getQuotient(variable);
  Form remainder = Form::combine(1, quotient.numerator, -quotient.divisor,
                                 Form::variable(variable));
  rows.push_back(isNotNegative(remainder));
  rows.push_back(isAtMost(remainder, quotient.divisor - 1));
}

std::string Space::getName(Variable variable) const {
  const Quotient *quotient = getQuotient(variable);
  if (!quotient)
    return variables[variable].name;
  std::string numerator = print(quotient->numerator);
  bool isOne = quotient->numerator.getTerms().size() == 1 &&
               quotient->numerator == quotient->numerator.withConstant(0) &&
               quotient->numerator.getTerms()[0].coefficient == 1;
  if (!isOne)
    numerator = "(" + numerator + ")";
  return "(" + numerator + " floordiv " + std::to_string(quotient->divisor) +
         ")";
}

std::string Space::print(const Form &form) const {
  return form.print([&](Variable variable) { return getName(variable); });
}

std::string Space::print(const Row &row) const {
  return print(row.form) + (row.isZero ? " == 0" : " >= 0");
}

std::string Space::printComparison(const Form &form) const {
  // The constant stands where it is not negative.
  Form less, more = form.getConstant() > 0 ? form.getConstant() : 0;
  for (const Form::Term &term : form.getTerms()) {
    Form &side = term.coefficient < 0 ? less : more;
    Form product = term.coefficient;
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i)
      product = product * Form::variable(term.monomial.getFactor(i));
    side = Form::combine(1, side, term.coefficient < 0 ? -1 : 1, product);
  }
  if (form.getConstant() < 0)
    less = less - form.getConstant();
  if (!less.isExact() || !more.isExact())
    return print(poly::isNotNegative(form));
  return print(less) + " <= " + print(more);
}

std::optional<Wide> Space::evaluate(const Form &form,
                                    const std::vector<int64_t> &values) const {
  return form.evaluate([&](Variable variable) -> std::optional<int64_t> {
    const Quotient *quotient = getQuotient(variable);
    if (!quotient || isUnknown(variable))
      return variable < values.size() ? std::optional(values[variable])
                                      : std::nullopt;
    std::optional<Wide> numerator = evaluate(quotient->numerator, values);
    if (!numerator)
      return std::nullopt;
    Wide value = poly::floorDivide(*numerator, Wide(quotient->divisor));
    return fitsWord(value) ? std::optional(int64_t(value)) : std::nullopt;
  });
}
