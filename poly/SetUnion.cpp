//===- SetUnion.cpp - a union as one conjunction --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/SetUnion.h"

#include "poly/IntegerPoint.h"
#include "poly/RelationQuestions.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

/// The first variable of a row that is no symbol and no output: a quotient, or
/// one that exists.
static std::optional<Form::Term> findOther(const Row &row,
                                           size_t numVariables) {
  for (const Form::Term &term : row.form.getTerms())
    if (term.monomial.getFactor(0) >= numVariables)
      return term;
  return std::nullopt;
}

bool poly::hasOthers(const Relation &set, const Rows &rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row &row) {
    return findOther(row, set.getNumVariables()).has_value();
  });
}

/// Adds `form` >= 0 without one of the variables that `equality` tells.
static void addRewritten(const Form &form, const Form &equality, Rows &all) {
  for (const Form::Term &term : equality.getTerms()) {
    int64_t factor = form.split(term.monomial.getFactor(0)).first.getConstant();
    if (factor == 0 || (term.coefficient != 1 && term.coefficient != -1))
      continue;
    Form rewritten =
        Form::combine(1, form, -factor * term.coefficient, equality);
    if (rewritten.isExact() && !rewritten.isConstant())
      all.push_back(isNotNegative(std::move(rewritten)));
  }
}

/// Writes 0 <= e - d * v <= d - 1 for v == e floordiv d, which the smallest
/// form of such comparisons has, and v for that quotient.
static void expandQuotients(const Relation &set, Rows &rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    std::optional<Form::Term> term = findOther(rows[i], set.getNumVariables());
    if (!term || !rows[i].isZero || std::abs(term->coefficient) != 1)
      continue;
    Variable variable = term->monomial.getFactor(0);
    const Space::Quotient *quotient = set.getSpace().getQuotient(variable);
    if (!quotient)
      continue;
    Form value = Form::combine(-term->coefficient, rows[i].form, 1,
                               Form::variable(variable));
    Form rest =
        Form::combine(1, quotient->numerator, -quotient->divisor, value);
    Rows expanded = rows;
    expanded[i] = isNotNegative(rest);
    expanded.push_back(isAtMost(rest, quotient->divisor - 1));
    bool isExact = true;
    for (Row &row : expanded) {
      row.form = row.form.substitute(variable, value);
      isExact &= row.form.isExact();
    }
    if (!isExact)
      continue;
    rows = std::move(expanded);
    return expandQuotients(set, rows);
  }
}

/// All comparisons of the parts, an equality as two, also with what equalities
/// tell in place of variables.
static Rows getComparisons(const Relation &set) {
  Rows all;
  for (const Rows &part : set.getParts())
    for (const Row &row : part) {
      all.push_back(isNotNegative(row.form));
      if (row.isZero)
        all.push_back(isNotNegative(-row.form));
      for (const Row &other : part)
        if (other.isZero && !row.isZero)
          addRewritten(row.form, other.form, all);
    }
  return all;
}

RelationResult poly::joinParts(const Relation &given) {
  Relation set(given.getSignature());
  set.getSpace() = given.getSpace();
  for (Rows part : given.getParts()) {
    expandQuotients(given, part);
    if (hasOthers(given, part))
      return {given};
    set.addPart(std::move(part));
  }
  size_t numParts = set.getParts().size();
  if (numParts < 2)
    return {std::move(set)};
  Limits limits = relationLimits();
  limits.work *= numParts;
  Rows symbols, common;
  for (Variable symbol = 0; symbol < set.getSignature().symbols.size();
       ++symbol)
    symbols.push_back(isNotNegative(Form::variable(symbol)));
  auto holdsIn = [&](const Rows &part, const Row &row) {
    Rows rows = part;
    rows.insert(rows.end(), symbols.begin(), symbols.end());
    rows.push_back(negate(row));
    return hasNoPoint(set.getSpace(), rows, limits.work);
  };
  for (const Row &row : getComparisons(set))
    if (std::none_of(
            common.begin(), common.end(),
            [&](const Row &known) { return known.form == row.form; }) &&
        std::all_of(set.getParts().begin(), set.getParts().end(),
                    [&](const Rows &part) { return holdsIn(part, row); }))
      common.push_back(row);
  Relation joined(set.getSignature()), natural(set.getSignature());
  joined.addPart(common);
  common.insert(common.end(), symbols.begin(), symbols.end());
  natural.addPart(std::move(common));
  RelationAnswer isJoined = isSubset(natural, set, limits);
  if (isJoined.truth != Truth::Proved)
    return {std::move(set), isJoined.limit};
  return {std::move(joined)};
}
