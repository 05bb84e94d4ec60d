//===- RelationCount.cpp - how many points a relation has -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts are made disjoint. Variables that no row joins are counted apart, and
// their numbers multiplied. What is joined is enumerated, but for the variable
// with the largest range, whose values are counted by the rows where these
// have no quotient of it.
//
//===----------------------------------------------------------------------===//

#include "poly/Checked.h"
#include "poly/Domain.h"
#include "poly/Normal.h"
#include "poly/RelationAlgebra.h"
#include "poly/RelationQuestions.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

struct Between {
  std::optional<Wide> least, greatest;

  Wide size() const { return *greatest < *least ? 0 : *greatest - *least + 1; }
};

/// The points of a conjunction over some variables that its rows join.
class Enumeration {
public:
  Enumeration(const Space &space, Rows rows, std::vector<Variable> variables,
              size_t &work)
      : space(space), rows(std::move(rows)), variables(std::move(variables)),
        work(work), values(space.getNumVariables()) {}

  std::optional<Wide> count();

private:
  bool findRanges(Limits &limits);
  bool isPlain(const Form &form) const {
    for (const Form::Term &term : form.getTerms())
      if (space.getQuotient(term.monomial.getFactor(0)))
        return false;
    return true;
  }
  bool narrow(size_t depth, const Row &row, Between &between) const;
  bool holds() const;
  std::optional<Wide> countFrom(size_t depth);

  const Space &space;
  Rows rows;
  std::vector<Variable> variables;
  size_t &work;
  std::vector<Between> ranges;
  std::vector<int64_t> values;
  bool isLastPlain = true;
};

} // namespace

/// Bounds by eliminating all other variables. False if one is missing.
bool Enumeration::findRanges(Limits &limits) {
  for (Variable variable : variables) {
    Space own;
    std::vector<Form> base;
    for (Variable i = 0; i <= variables.back(); ++i)
      base.push_back(own.addUnknown("y"));
    // Quotients of the variable are unknown and go too.
    Form result = own.addSymbol("x");
    Variable wanted = result.getTerms()[0].monomial.getFactor(0);
    Rows taken = Import(space, own, base).take(rows);
    taken.push_back(isZero(base[variable] - result));
    addDefinitions(own, /*ofUnknown=*/true, taken);
    Projection projection = eliminate(own, std::move(taken), {}, limits);
    if (projection.limit != Limit::None)
      return false;
    Between between = {1, 0};
    for (const Rows &part : projection.parts) {
      Between range;
      for (const Row &row : part) {
        auto [coefficient, rest] = row.form.split(wanted);
        if (!rest.isConstant() || coefficient == Form(0))
          continue;
        Wide by = coefficient.getConstant(), constant = rest.getConstant();
        if (by > 0 || row.isZero) {
          Wide least = by > 0 ? -floorDivide<Wide>(constant, by)
                              : -floorDivide<Wide>(-constant, -by);
          range.least = std::max(range.least.value_or(least), least);
        }
        if (by < 0 || row.isZero) {
          Wide greatest = by < 0 ? floorDivide<Wide>(constant, -by)
                                 : floorDivide<Wide>(-constant, by);
          range.greatest =
              std::min(range.greatest.value_or(greatest), greatest);
        }
      }
      if (!range.least || !range.greatest || !fitsWord(*range.least) ||
          !fitsWord(*range.greatest))
        return false;
      if (*between.greatest < *between.least)
        between = range;
      between.least = std::min(*between.least, *range.least);
      between.greatest = std::max(*between.greatest, *range.greatest);
    }
    ranges.push_back(between);
  }
  return true;
}

/// Brings `between` inside what a row without quotients says of the variable
/// at `depth`, whatever the later ones are. False on overflow.
bool Enumeration::narrow(size_t depth, const Row &row, Between &between) const {
  for (int64_t sign : {1, -1}) {
    if (sign < 0 && !row.isZero)
      break;
    // own * variable + most >= 0, where `most` is the greatest of the rest.
    Wide own = 0, most = Wide(sign) * row.form.getConstant();
    for (const Form::Term &term : row.form.getTerms()) {
      Variable variable = term.monomial.getFactor(0);
      Wide coefficient = Wide(sign) * term.coefficient;
      size_t place = std::find(variables.begin(), variables.end(), variable) -
                     variables.begin();
      if (place == depth)
        own = coefficient;
      else if (!addProduct(coefficient,
                           place < depth     ? Wide(values[variable])
                           : coefficient > 0 ? *ranges[place].greatest
                                             : *ranges[place].least,
                           most))
        return false;
    }
    if (own > 0)
      between.least = std::max(*between.least, -floorDivide<Wide>(most, own));
    if (own < 0)
      between.greatest =
          std::min(*between.greatest, floorDivide<Wide>(most, -own));
    if (own == 0 && most < 0)
      between.greatest = *between.least - 1;
  }
  return true;
}

/// Whether all rows hold; what does not fit does not.
bool Enumeration::holds() const {
  for (const Row &row : rows) {
    std::optional<Wide> value = space.evaluate(row.form, values);
    if (!value || (row.isZero ? *value != 0 : *value < 0))
      return false;
  }
  return true;
}

std::optional<Wide> Enumeration::countFrom(size_t depth) {
  Between between = ranges[depth];
  for (const Row &row : rows)
    if (isPlain(row.form) && !narrow(depth, row, between))
      return std::nullopt;
  if (work < rows.size() + 1)
    return std::nullopt;
  work -= rows.size() + 1;
  bool isLast = depth + 1 == variables.size();
  if (isLast && isLastPlain)
    return between.size();
  Wide sum = 0;
  for (Wide value = *between.least; value <= *between.greatest; ++value) {
    values[variables[depth]] = int64_t(value);
    if (isLast) {
      if (work < rows.size())
        return std::nullopt;
      work -= rows.size();
      sum += holds();
      continue;
    }
    std::optional<Wide> inner = countFrom(depth + 1);
    if (!inner || !fitsWord(*inner) || !fitsWord(sum + *inner))
      return std::nullopt;
    sum += *inner;
  }
  return sum;
}

std::optional<Wide> Enumeration::count() {
  Limits limits;
  limits.work = work;
  bool isFinite = findRanges(limits);
  work = limits.work;
  if (!isFinite)
    return std::nullopt;
  isLastPlain = std::all_of(rows.begin(), rows.end(),
                            [&](const Row &row) { return isPlain(row.form); });
  // The largest range is the last.
  std::vector<size_t> order(variables.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(ranges[a].size(), a) <
           std::make_pair(ranges[b].size(), b);
  });
  std::vector<Variable> sortedVariables;
  std::vector<Between> sortedRanges;
  for (size_t i : order) {
    sortedVariables.push_back(variables[i]);
    sortedRanges.push_back(ranges[i]);
  }
  variables = std::move(sortedVariables);
  ranges = std::move(sortedRanges);
  return countFrom(0);
}

/// The variables that `form` depends on.
static void findVariables(const Space &space, const Form &form,
                          std::vector<Variable> &found) {
  for (const Form::Term &term : form.getTerms()) {
    Variable variable = term.monomial.getFactor(0);
    if (const Space::Quotient *quotient = space.getQuotient(variable))
      findVariables(space, quotient->numerator, found);
    else
      found.push_back(variable);
  }
}

/// Groups of the first `count` variables, such that rows join none of two.
static std::vector<size_t> findGroups(const Space &space, const Rows &rows,
                                      size_t count) {
  std::vector<size_t> groups(count);
  for (size_t i = 0; i < count; ++i)
    groups[i] = i;
  for (const Row &row : rows) {
    std::vector<Variable> joined;
    findVariables(space, row.form, joined);
    for (Variable variable : joined) {
      size_t from = groups[variable], to = groups[joined[0]];
      std::replace(groups.begin(), groups.end(), from, to);
    }
  }
  return groups;
}

static std::optional<Wide> countPart(const Space &space, const Rows &rows,
                                     size_t variables, size_t &work) {
  std::vector<size_t> groups = findGroups(space, rows, variables);
  Wide product = 1;
  for (size_t group = 0; group < variables; ++group) {
    std::vector<Variable> members;
    for (Variable i = 0; i < variables; ++i)
      if (groups[i] == group)
        members.push_back(i);
    if (members.empty())
      continue;
    Rows own;
    for (const Row &row : rows) {
      std::vector<Variable> joined;
      findVariables(space, row.form, joined);
      if (!joined.empty() && groups[joined[0]] == group)
        own.push_back(row);
    }
    std::optional<Wide> count =
        Enumeration(space, std::move(own), std::move(members), work).count();
    if (!count || !multiply(product, *count, product) || !fitsWord(product))
      return std::nullopt;
  }
  return product;
}

std::optional<int64_t> poly::countOutputs(const Relation &relation,
                                          const std::vector<int64_t> &inputs,
                                          const std::vector<int64_t> &symbols,
                                          Limits limits) {
  const Signature &names = relation.getSignature();
  if (inputs.size() != names.inputs.size() ||
      symbols.size() != names.symbols.size())
    return std::nullopt;
  Relation set(Signature{{}, {}, names.outputs}), counted = set;
  std::vector<Form> base(inputs.begin(), inputs.end());
  base.insert(base.end(), symbols.begin(), symbols.end());
  for (const Form &output : set.getOutputs())
    base.push_back(output);
  Import import(relation, set.getSpace(), std::move(base));
  Wide sum = 0;
  for (const Rows &part : relation.getParts())
    if (addExisting(set, import.take(part), limits) != Limit::None)
      return std::nullopt;
  for (const Rows &part : set.getParts()) {
    // The part without those before it.
    Relation one(set.getSignature());
    one.addPart(Import(set, one.getSpace(), set.getOutputs()).take(part));
    RelationResult rest = subtract(one, counted, limits);
    if (!rest.relation)
      return std::nullopt;
    for (const Rows &piece : rest.relation->getParts()) {
      if (rest.relation->hasUnknown(piece))
        return std::nullopt;
      std::optional<Wide> count = countPart(rest.relation->getSpace(), piece,
                                            names.outputs.size(), limits.work);
      if (!count || !fitsWord(sum + *count))
        return std::nullopt;
      sum += *count;
    }
    counted.addPart(
        Import(set, counted.getSpace(), set.getOutputs()).take(part));
  }
  return int64_t(sum);
}
