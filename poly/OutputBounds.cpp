//===- OutputBounds.cpp - loops over a relation's outputs -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/OutputBounds.h"

#include "poly/Domain.h"
#include "poly/Implication.h"
#include "poly/Normal.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;
using namespace broadloom::poly;

static constexpr size_t kMostRows = 256;
/// With more rows, those that follow from others are left out: each bound of a
/// loop is compared by calls, and asked about when its accesses are checked.
static constexpr size_t kFewRows = 8;

namespace {

/// Fourier-Motzkin elimination over rational numbers: what is left bounds the
/// integers too.
class Bounder {
public:
  Bounder(const Relation &relation, const Rows &part)
      : relation(relation), space(relation.getSpace()), rows(part) {
    addDefinitions(space, /*ofUnknown=*/true, rows);
    addDefinitions(space, /*ofUnknown=*/false, rows);
    findVariables();
  }

  OutputBounds run(const Rows &part) {
    OutputBounds result;
    for (const Row &row : part)
      if (!isBound(row))
        result.conditions.push_back(row);
    // Rows that define other quotients are needed, though these imply them.
    for (size_t i = quotients.size(); i-- > 0 && limit == Limit::None;)
      eliminate(quotients[i], /*isShort=*/false);
    for (size_t i = variables.size(); i-- > 0 && limit == Limit::None;) {
      result.variables.insert(result.variables.begin(), bound(variables[i]));
      eliminate(variables[i], /*isShort=*/true);
    }
    result.limit = limit;
    return result;
  }

private:
  void findVariables() {
    size_t firstOutput =
        relation.getNumVariables() - relation.getSignature().outputs.size();
    for (size_t i = firstOutput; i < relation.getNumVariables(); ++i)
      variables.push_back(Variable(i));
    for (size_t i = relation.getNumVariables(); i < space.getNumVariables();
         ++i) {
      Variable variable(i);
      if (!isUsed(variable))
        continue;
      const Space::Quotient *quotient = space.getQuotient(variable);
      if (!quotient)
        variables.push_back(variable);
      else if (isLooped(quotient->numerator))
        quotients.push_back(variable);
    }
  }

  bool isUsed(Variable variable) const {
    return std::any_of(rows.begin(), rows.end(), [&](const Row &row) {
      return row.form.contains(variable);
    });
  }

  static bool isIn(const std::vector<Variable> &list, Variable variable) {
    return std::find(list.begin(), list.end(), variable) != list.end();
  }

  /// Whether `form` has a variable of a loop, or a quotient of one.
  bool isLooped(const Form &form) const {
    return std::any_of(form.getTerms().begin(), form.getTerms().end(),
                       [&](const Form::Term &term) {
                         Variable factor = term.monomial.getFactor(0);
                         return isIn(variables, factor) ||
                                isIn(quotients, factor);
                       });
  }

  /// Whether a row is a bound of its last variable.
  bool isBound(const Row &row) const {
    return isLooped(row.form) &&
           std::none_of(
               quotients.begin(), quotients.end(),
               [&](Variable quotient) { return row.form.contains(quotient); });
  }

  static int64_t getCoefficient(const Row &row, Variable variable) {
    return row.form.split(variable).first.getConstant();
  }

  BoundedVariable bound(Variable variable) const {
    BoundedVariable result = {variable, {}, {}};
    for (const Row &row : rows) {
      auto [factor, rest] = row.form.split(variable);
      int64_t coefficient = factor.getConstant();
      if (coefficient == 0)
        continue;
      Form value = coefficient > 0 ? -rest : rest;
      Bound bound = {value, std::abs(coefficient)};
      if (row.isZero || coefficient > 0)
        result.lowers.push_back(bound);
      if (row.isZero || coefficient < 0)
        result.uppers.push_back(bound);
    }
    return result;
  }

  void add(Rows &left, int64_t a, const Row &x, int64_t b, const Row &y,
           bool isZero) {
    Form form = Form::combine(a, x.form, b, y.form);
    if (!form.isExact())
      limit = Limit::Overflow;
    left.push_back({std::move(form), isZero});
    if (left.size() > kMostRows)
      limit = Limit::Rows;
  }

  /// If `isShort`, what other rows imply is left out of many rows.
  void eliminate(Variable variable, bool isShort) {
    Rows left, with;
    for (const Row &row : rows)
      (row.form.contains(variable) ? with : left).push_back(row);
    auto equality = std::find_if(with.begin(), with.end(),
                                 [](const Row &row) { return row.isZero; });
    if (equality != with.end()) {
      int64_t by = getCoefficient(*equality, variable);
      for (const Row &row : with)
        if (&row != &*equality && limit == Limit::None)
          add(left, std::abs(by), row,
              (by > 0 ? -1 : 1) * getCoefficient(row, variable), *equality,
              row.isZero);
    } else {
      for (const Row &lower : with)
        for (const Row &upper : with) {
          int64_t a = getCoefficient(lower, variable),
                  b = getCoefficient(upper, variable);
          if (a > 0 && b < 0 && limit == Limit::None)
            add(left, -b, lower, a, upper, /*isZero=*/false);
        }
    }
    Rows small = left;
    // A contradiction is found again where the bounds are used.
    switch (normalise(small)) {
    case Normal::Fine:
      left = small;
      // What is left out holds at each point that the loops meet: its bounds
      // imply the rows of all variables around it.
      if (isShort && small.size() > kFewRows && !simplify(space, {}, small))
        small = std::move(left);
      rows = std::move(small);
      return;
    case Normal::Contradiction:
      rows = std::move(left);
      return;
    case Normal::Overflow:
      limit = Limit::Overflow;
    }
  }

  const Relation &relation;
  const Space &space;
  Rows rows;
  /// What loops are over, and quotients that depend on them.
  std::vector<Variable> variables, quotients;
  Limit limit = Limit::None;
};

} // namespace

OutputBounds poly::boundOutputs(const Relation &relation, const Rows &part) {
  return Bounder(relation, part).run(part);
}
