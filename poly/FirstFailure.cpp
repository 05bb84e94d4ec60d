//===- FirstFailure.cpp - the first iteration outside ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/FirstFailure.h"

#include "poly/Checked.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

/// A conjunction over integers, whose unknowns are numbered in the order in
/// which they are searched.
class Search {
public:
  Search(const Space &space, const std::vector<int64_t> &symbols,
         size_t &budget)
      : space(space), values(symbols), budget(budget) {
    values.resize(space.getNumVariables());
  }

  /// The values of all variables at the first solution; nothing if there is
  /// none, or if the search is not complete.
  std::optional<std::vector<int64_t>> findFirst(const Rows &rows) {
    for (const Row &row : rows) {
      add(row.form);
      if (row.isZero)
        add(-row.form);
    }
    std::vector<bool> isUsed(space.getNumVariables());
    for (const Bound &row : all)
      for (size_t i = 0; i < row.coefficients.size(); ++i)
        isUsed[i] = isUsed[i] || row.coefficients[i] != 0;
    for (size_t i = 0; i < isUsed.size(); ++i)
      if (isUsed[i])
        unknowns.push_back(Variable(i));
    project();
    if (isImpossible || !isComplete || !visit(0))
      return std::nullopt;
    completeQuotients();
    return values;
  }

  bool wasComplete() const { return isComplete; }

private:
  /// The sum of coefficients by variables, and a constant, is not negative.
  struct Bound {
    std::vector<int64_t> coefficients;
    int64_t constant = 0;
  };

  void add(const Form &form) {
    Bound row;
    row.coefficients.resize(space.getNumVariables());
    Wide constant = form.getConstant();
    isComplete &= form.isExact();
    for (const Form::Term &term : form.getTerms()) {
      std::optional<Variable> unknown;
      Wide product = term.coefficient;
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
        Variable factor = term.monomial.getFactor(i);
        if (space.isUnknown(factor)) {
          isComplete &= !unknown;
          unknown = factor;
          continue;
        }
        std::optional<Wide> value =
            space.evaluate(Form::variable(factor), values);
        isComplete &= value && multiply(product, *value, product);
      }
      if (unknown) {
        product += row.coefficients[*unknown];
        isComplete &=
            fitsWord(product) && product != std::numeric_limits<int64_t>::min();
        row.coefficients[*unknown] = int64_t(product);
      } else {
        isComplete &= !__builtin_add_overflow(constant, product, &constant);
      }
    }
    isComplete &= fitsWord(constant);
    row.constant = int64_t(constant);
    if (isComplete)
      add(all, std::move(row));
  }

  void add(std::vector<Bound> &to, Bound row) {
    int64_t divisor = 0;
    for (int64_t coefficient : row.coefficients)
      divisor = std::gcd(divisor, coefficient);
    if (divisor == 0) {
      isImpossible |= row.constant < 0;
      return;
    }
    for (int64_t &coefficient : row.coefficients)
      coefficient /= divisor;
    row.constant = floorDivide(row.constant, divisor);
    for (Bound &other : to)
      if (other.coefficients == row.coefficients) {
        other.constant = std::min(other.constant, row.constant);
        return;
      }
    to.push_back(std::move(row));
  }

  /// Finds rows for each unknown that bound it by earlier ones. A row that is
  /// left out makes the search longer, not wrong.
  void project() {
    constexpr size_t kMaxRows = 256;
    bounds.resize(unknowns.size());
    std::vector<Bound> rows = std::move(all);
    for (size_t level = unknowns.size(); level-- > 0 && !isImpossible;) {
      Variable unknown = unknowns[level];
      std::vector<Bound> rest;
      for (Bound &row : rows)
        (row.coefficients[unknown] ? bounds[level] : rest)
            .push_back(std::move(row));
      for (const Bound &lower : bounds[level])
        for (const Bound &upper : bounds[level]) {
          int64_t a = lower.coefficients[unknown],
                  b = upper.coefficients[unknown];
          if (a < 0 || b > 0 || rest.size() > kMaxRows)
            continue;
          Bound sum;
          sum.coefficients.resize(values.size());
          bool fits = addProduct(-b, lower.constant, sum.constant) &&
                      addProduct(a, upper.constant, sum.constant);
          for (size_t i = 0; i < values.size() && fits; ++i)
            fits = addProduct(-b, lower.coefficients[i], sum.coefficients[i]) &&
                   addProduct(a, upper.coefficients[i], sum.coefficients[i]) &&
                   sum.coefficients[i] != std::numeric_limits<int64_t>::min();
          if (fits)
            add(rest, std::move(sum));
        }
      rows = std::move(rest);
    }
  }

  /// Finds values for the unknowns from that of the given number on.
  bool visit(size_t level) {
    if (level == unknowns.size())
      return true;
    Variable unknown = unknowns[level];
    std::optional<Wide> least, greatest;
    for (const Bound &row : bounds[level]) {
      Wide rest = row.constant;
      for (size_t i = 0; i < level; ++i)
        if (!addProduct(Wide(row.coefficients[unknowns[i]]),
                        Wide(values[unknowns[i]]), rest))
          return isComplete = false;
      Wide coefficient = row.coefficients[unknown];
      if (coefficient > 0) {
        Wide bound = -floorDivide(rest, coefficient);
        least = std::max(least.value_or(bound), bound);
      } else {
        Wide bound = floorDivide(rest, -coefficient);
        greatest = std::min(greatest.value_or(bound), bound);
      }
    }
    if (least && greatest && *least > *greatest)
      return false;
    if (!least)
      return isComplete = false;
    for (Wide value = *least; !greatest || value <= *greatest; ++value) {
      if (budget == 0 || !fitsWord(value))
        return isComplete = false;
      --budget;
      values[unknown] = int64_t(value);
      if (visit(level + 1))
        return true;
      if (!isComplete)
        return false;
    }
    return false;
  }

  /// Gives values to the quotients that the search did not need.
  void completeQuotients() {
    for (size_t i = 0; i < values.size(); ++i) {
      const Space::Quotient *quotient = space.getQuotient(Variable(i));
      if (!quotient || !space.isUnknown(Variable(i)))
        continue;
      std::optional<Wide> value = space.evaluate(quotient->numerator, values);
      isComplete &= value && fitsWord(*value);
      if (isComplete)
        values[i] = int64_t(floorDivide(*value, Wide(quotient->divisor)));
    }
  }

  const Space &space;
  std::vector<int64_t> values;
  size_t &budget;
  std::vector<Variable> unknowns;
  std::vector<Bound> all;
  /// Of each unknown, by its number, the rows that bound it by earlier ones.
  std::vector<std::vector<Bound>> bounds;
  bool isImpossible = false, isComplete = true;
};

} // namespace

/// The failure at given values of all variables, if its numbers are words.
static std::optional<Failure>
describeFailure(const Domain &domain, const Access &access,
                const std::vector<int64_t> &values) {
  const Space &space = domain.getSpace();
  Failure failure;
  for (const Domain::Loop &loop : domain.getLoops()) {
    std::optional<Wide> value = space.evaluate(loop.value, values);
    if (!value || !fitsWord(*value))
      return std::nullopt;
    failure.iteration.push_back(int64_t(*value));
  }
  for (size_t axis = 0; axis < access.size(); ++axis) {
    std::optional<Wide> index = space.evaluate(access[axis].index, values),
                        extent = space.evaluate(access[axis].extent, values);
    if (!index || !extent || !fitsWord(*index) || !fitsWord(*extent))
      return std::nullopt;
    if (*index >= 0 && *index < *extent)
      continue;
    failure.axis = axis;
    failure.index = int64_t(*index);
    failure.extent = int64_t(*extent);
    return failure;
  }
  return std::nullopt;
}

FirstFailure poly::findFirstFailure(const Domain &domain, const Access &access,
                                    const std::vector<int64_t> &values,
                                    size_t budget) {
  constexpr size_t kMaxParts = 1024;
  FirstFailure first;
  std::optional<std::vector<Rows>> parts = domain.getParts(kMaxParts);
  if (!parts)
    return first;
  first.isFound = true;
  for (const Rows &part : *parts)
    for (const Subscript &subscript : access)
      for (Side side : {Side::Below, Side::Above}) {
        Rows rows = part;
        rows.push_back(isOutside(subscript, side));
        addDefinitions(domain.getSpace(), /*ofUnknown=*/true, rows);
        Search search(domain.getSpace(), values, budget);
        std::optional<std::vector<int64_t>> solution = search.findFirst(rows);
        first.isFound &= search.wasComplete();
        if (!solution)
          continue;
        std::optional<Failure> failure =
            describeFailure(domain, access, *solution);
        first.isFound &= failure.has_value();
        if (failure &&
            (!first.failure || failure->iteration < first.failure->iteration))
          first.failure = std::move(failure);
      }
  return first;
}
