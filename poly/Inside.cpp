//===- Inside.cpp - when all accesses of a nest are inside ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Inside.h"

#include "poly/Implication.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace broadloom;
using namespace broadloom::poly;

/// Whether `inner` surely holds nowhere where `outer` does not.
static bool isSubset(const Space &space, const Rows &inner, const Rows &outer,
                     const Rows &facts) {
  Rows all = inner;
  all.insert(all.end(), facts.begin(), facts.end());
  for (const Row &row : outer)
    if (!proves(space, all, row))
      return false;
  return true;
}

/// Adds `part` to a union, unless a part of that contains it.
static void addPart(const Space &space, Rows part, const Rows &facts,
                    std::vector<Rows> &parts) {
  // More parts are not compared, so that the time stays bounded.
  constexpr size_t kMaxCompared = 16;
  if (parts.size() <= kMaxCompared) {
    for (const Rows &other : parts)
      if (isSubset(space, part, other, facts))
        return;
    for (size_t i = parts.size(); i-- > 0;)
      if (isSubset(space, parts[i], part, facts))
        parts.erase(parts.begin() + i);
  }
  parts.push_back(std::move(part));
}

/// The row without a quotient of symbols, where it has one and this has the
/// coefficient 1 or -1: x floordiv d >= y exactly where x >= d y.
static Row unfold(const Space &space, const Row &row) {
  std::optional<Variable> only;
  int64_t factor = 0;
  for (const Form::Term &term : row.form.getTerms())
    for (unsigned i = 0; i < term.monomial.getDegree(); ++i)
      if (Variable variable = term.monomial.getFactor(i);
          space.getQuotient(variable)) {
        if (only || !term.monomial.isVariable())
          return row;
        only = variable;
        factor = term.coefficient;
      }
  if (!only || row.isZero || std::abs(factor) != 1)
    return row;
  const Space::Quotient &quotient = *space.getQuotient(*only);
  Form rest = row.form.split(*only).second;
  Form unfolded =
      Form::combine(quotient.divisor, rest, factor, quotient.numerator);
  return isNotNegative(factor > 0 ? unfolded
                                  : unfolded + (quotient.divisor - 1));
}

static void unfold(const Space &space, Rows &rows) {
  for (Row &row : rows)
    for (;;) {
      Row next = unfold(space, row);
      if (!next.form.isExact() || next.form == row.form)
        break;
      row = std::move(next);
    }
}

/// Holds exactly where a conjunction does not.
static Clause negateAll(const Rows &rows) {
  Clause clause;
  for (const Row &row : rows) {
    if (row.isZero)
      clause.push_back(row.form - 1);
    clause.push_back(negate(row).form);
  }
  return clause;
}

namespace {
/// Replaces products with unknowns by unknowns.
class Products {
public:
  explicit Products(Space &space) : space(space) {}

  void replaceIn(Rows &rows) {
    for (Row &row : rows)
      row.form = replaceIn(row.form);
  }

private:
  Form replaceIn(const Form &form) {
    if (!form.isExact())
      return form;
    Form replaced(form.getConstant());
    for (const Form::Term &term : form.getTerms())
      replaced =
          Form::combine(1, replaced, term.coefficient, replace(term.monomial));
    return replaced;
  }

  Form replace(Monomial monomial) {
    Form product = Form::variable(monomial.getFactor(0));
    for (unsigned i = 1; i < monomial.getDegree(); ++i)
      product = product * Form::variable(monomial.getFactor(i));
    if (monomial.isVariable() || !space.hasUnknown(product))
      return product;
    auto it = unknowns.find(monomial);
    if (it == unknowns.end())
      it = unknowns.emplace(monomial, space.addUnknown("product")).first;
    return it->second;
  }

  Space &space;
  std::map<Monomial, Form> unknowns;
};
} // namespace

static Inside project(const Domain &domain, const Access &access, Limits limits,
                      bool replacesProducts) {
  Inside inside;
  std::optional<std::vector<Rows>> parts = domain.getParts(limits.parts);
  if (!parts) {
    inside.limit = Limit::Parts;
    return inside;
  }
  Space space = domain.getSpace();
  Products products(space);
  const Rows &facts = domain.getFacts();
  std::vector<Rows> failures;
  for (const Rows &part : *parts)
    for (const Subscript &subscript : access)
      for (Side side : {Side::Below, Side::Above}) {
        Rows rows = part;
        rows.push_back(isOutside(subscript, side));
        addDefinitions(space, /*ofUnknown=*/true, rows);
        if (replacesProducts)
          products.replaceIn(rows);
        Projection projection =
            eliminate(space, std::move(rows), facts, limits);
        if (projection.limit != Limit::None) {
          inside.limit = projection.limit;
          return inside;
        }
        for (Rows &failure : projection.parts) {
          unfold(space, failure);
          if (simplify(space, facts, failure))
            addPart(space, std::move(failure), facts, failures);
        }
        if (failures.size() > limits.parts) {
          inside.limit = Limit::Parts;
          return inside;
        }
      }
  inside.condition.emplace();
  for (const Rows &failure : failures)
    inside.condition->clauses.push_back(negateAll(failure));
  size_t forms = 0;
  for (const Clause &clause : inside.condition->clauses)
    for (const Form &form : clause) {
      if (!form.isExact())
        return {std::nullopt, Limit::Overflow};
      if (++forms > limits.forms)
        return {std::nullopt, Limit::Parts};
    }
  inside.condition->space = std::move(space);
  return inside;
}

Inside poly::whenInside(const Domain &domain, const Access &access,
                        Limits limits) {
  return project(domain, access, limits, /*replacesProducts=*/false);
}

Inside poly::whenSurelyInside(const Domain &domain, const Access &access,
                              Limits limits) {
  Inside inside = project(domain, access, limits, /*replacesProducts=*/true);
  if (!inside.condition)
    return inside;
  const Space &space = inside.condition->space;
  for (const Clause &clause : inside.condition->clauses)
    if (std::all_of(clause.begin(), clause.end(), [&](const Form &form) {
          return saysEmpty(domain, space, form);
        }))
      return {std::nullopt, Limit::Product};
  return inside;
}

static bool hasProduct(const Row &row) {
  const std::vector<Form::Term> &terms = row.form.getTerms();
  return std::any_of(terms.begin(), terms.end(), [](const Form::Term &term) {
    return !term.monomial.isVariable();
  });
}

bool poly::saysEmpty(const Domain &domain, const Space &space,
                     const Form &form) {
  std::optional<std::vector<Rows>> parts = domain.getParts(Limits().parts);
  if (!parts)
    return false;
  Row negative = negate(isNotNegative(form));
  for (Rows rows : *parts) {
    const Rows &facts = domain.getFacts();
    rows.insert(rows.end(), facts.begin(), facts.end());
    addDefinitions(space, /*ofUnknown=*/true, rows);
    // Few rows say most of symbols.
    Rows few = rows;
    few.erase(std::remove_if(few.begin(), few.end(), hasProduct), few.end());
    if (proves(space, few, negative))
      continue;
    Space wider = space;
    Products(wider).replaceIn(rows);
    if (!proves(wider, rows, negative))
      return false;
  }
  return true;
}
