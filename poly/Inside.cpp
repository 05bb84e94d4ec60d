//===- Inside.cpp - when all accesses of a nest are inside ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Inside.h"

#include "poly/Implication.h"

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

Inside poly::whenInside(const Domain &domain, const Access &access,
                        Limits limits) {
  Inside inside;
  std::optional<std::vector<Rows>> parts = domain.getParts(limits.parts);
  if (!parts) {
    inside.limit = Limit::Parts;
    return inside;
  }
  Space space = domain.getSpace();
  const Rows &facts = domain.getFacts();
  std::vector<Rows> failures;
  for (const Rows &part : *parts)
    for (const Subscript &subscript : access)
      for (Side side : {Side::Below, Side::Above}) {
        Rows rows = part;
        rows.push_back(isOutside(subscript, side));
        addDefinitions(space, /*ofUnknown=*/true, rows);
        Projection projection =
            eliminate(space, std::move(rows), facts, limits);
        if (projection.limit != Limit::None) {
          inside.limit = projection.limit;
          return inside;
        }
        for (Rows &failure : projection.parts)
          if (simplify(space, facts, failure))
            addPart(space, std::move(failure), facts, failures);
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
