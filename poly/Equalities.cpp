//===- Equalities.cpp - integers that equalities give ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Equalities.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

static void replace(Rows &rows, Variable variable, const Form &by) {
  for (Row &row : rows)
    row.form = row.form.substitute(variable, by);
}

bool poly::canSolve(const Space &space, const Form &form) {
  bool hasProduct = false, hasUnit = false;
  for (const Form::Term &term : form.getTerms()) {
    if (!term.monomial.isVariable()) {
      hasProduct |= space.hasUnknown(term.monomial);
      continue;
    }
    Variable variable = term.monomial.getFactor(0);
    hasUnit |= space.isUnknown(variable) && std::abs(term.coefficient) == 1 &&
               form.split(variable).first.isConstant();
  }
  return hasUnit || (!hasProduct && space.hasUnknown(form));
}

/// Eliminates an unknown by a row, after Euclid's algorithm where no
/// coefficient is 1.
static void solve(Space &space, Rows &rows, size_t number, Limits &limits) {
  for (;;) {
    const Form form = rows[number].form;
    if (!form.isExact())
      return;
    std::vector<Form::Term> terms;
    for (const Form::Term &term : form.getTerms())
      if (term.monomial.isVariable() &&
          space.isUnknown(term.monomial.getFactor(0)) &&
          form.split(term.monomial.getFactor(0)).first.isConstant())
        terms.push_back(term);
    const Form::Term least = *std::min_element(
        terms.begin(), terms.end(),
        [](const Form::Term &a, const Form::Term &b) {
          return std::abs(a.coefficient) < std::abs(b.coefficient);
        });
    Variable unknown = least.monomial.getFactor(0);
    int64_t by = std::abs(least.coefficient);
    if (by == 1 || terms.size() == 1) {
      Form rest = form.split(unknown).second;
      if (least.coefficient > 0)
        rest = -rest;
      Form value = space.floorDivide(rest, by);
      rows[number].form = Form::combine(by, value, -1, rest);
      replace(rows, unknown, value);
      return;
    }
    // unknown = new unknown - the sum of quotients * others.
    Form value = Form::variable(unknown);
    for (const Form::Term &term : terms)
      if (term.monomial != least.monomial)
        value = Form::combine(1, value, -(term.coefficient / least.coefficient),
                              Form::variable(term.monomial.getFactor(0)));
    replace(rows, unknown, value);
    if (limits.work < rows.size()) {
      limits.work = 0;
      return;
    }
    limits.work -= rows.size();
  }
}

bool poly::solveEquality(Space &space, Rows &rows, Limits &limits) {
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].isZero && canSolve(space, rows[i].form)) {
      solve(space, rows, i, limits);
      return true;
    }
  return false;
}
