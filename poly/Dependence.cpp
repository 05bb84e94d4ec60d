//===- Dependence.cpp - iterations that meet at one element ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Dependence.h"

#include "poly/Implication.h"
#include "poly/IntegerPoint.h"
#include "poly/Relation.h"

#include <algorithm>
#include <map>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

/// One access with the variables of the joint space.
struct Side {
  /// Those of the domain as a union, with what is known of it in each.
  std::vector<Rows> parts;
  std::vector<Form> loops, subscripts;
};

/// A clause of which one form is not negative where the nest runs, and what is
/// known of its symbols.
struct Assumption {
  Clause clause;
  Rows facts;
};

class Question {
public:
  Question(const PlacedAccess &first, const PlacedAccess &second,
           const Directions &directions, const Premises &premises,
           Limits limits)
      : directions(directions), limits(limits) {
    size_t count = 0;
    for (const Premise &premise : premises)
      for (auto [variable, number] : premise.symbols)
        count = std::max(count, number + 1);
    for (const PlacedAccess *access : {&first, &second})
      for (auto [variable, number] : access->symbols)
        count = std::max(count, number + 1);
    for (size_t i = 0; i < count; ++i)
      symbols.push_back(space.addSymbol("s" + std::to_string(i)));
    isRead = read(first, a) && read(second, b);
    for (const Premise &premise : premises)
      read(premise);
  }

  Dependence ask() {
    if (!isRead || a.subscripts.size() != b.subscripts.size())
      return {Truth::Unknown, std::nullopt, limit};
    Rows meets = getOrder();
    for (size_t i = 0; i < a.subscripts.size(); ++i)
      meets.push_back(isZero(a.subscripts[i] - b.subscripts[i]));
    Dependence all = {Truth::Refuted};
    for (const Rows &one : a.parts)
      for (const Rows &other : b.parts) {
        Rows rows = meets;
        rows.insert(rows.end(), one.begin(), one.end());
        rows.insert(rows.end(), other.begin(), other.end());
        Dependence found = askUnderPremises(rows);
        if (found.exists == Truth::Proved)
          return found;
        if (found.exists == Truth::Unknown)
          all = found;
      }
    return all;
  }

private:
  Rows getOrder() const {
    Rows rows;
    for (size_t i = 0; i < directions.size(); ++i) {
      const Form &x = a.loops[i], &y = b.loops[i];
      if (directions[i] == Direction::Equal)
        rows.push_back(isZero(x - y));
      else if (directions[i] == Direction::Before)
        rows.push_back(isLess(x, y));
      else if (directions[i] == Direction::After)
        rows.push_back(isLess(y, x));
    }
    return rows;
  }

  bool read(const PlacedAccess &access, Side &side) {
    const Domain &domain = access.domain;
    Import import(domain.getSpace(), space, {});
    for (auto [variable, number] : access.symbols)
      import.set(variable, symbols[number]);
    std::optional<std::vector<Rows>> parts = domain.getParts(limits.parts);
    if (!parts) {
      limit = Limit::Parts;
      return false;
    }
    Rows common = domain.getFacts();
    std::vector<Form> values, indices;
    for (const Domain::Loop &loop : domain.getLoops())
      values.push_back(loop.value);
    for (const Subscript &subscript : access.subscripts) {
      indices.push_back(subscript.index);
      addInside(subscript.index, subscript.extent, common);
    }
    for (Rows &part : *parts) {
      part.insert(part.end(), common.begin(), common.end());
      side.parts.push_back(import.take(part));
    }
    for (const Form &value : values)
      side.loops.push_back(import.take(value));
    for (const Form &index : indices)
      side.subscripts.push_back(import.take(index));
    return true;
  }

  /// Clauses of a premise are about the symbols of the joint space.
  void read(const Premise &premise) {
    Import import(premise.condition.space, space, {});
    for (auto [variable, number] : premise.symbols)
      import.set(variable, symbols[number]);
    Rows facts = import.take(premise.domain.getFacts());
    for (const Clause &clause : premise.condition.clauses) {
      Assumption assumed = {{}, facts};
      for (const Form &form : clause)
        assumed.clause.push_back(import.take(form));
      if (std::all_of(assumed.clause.begin(), assumed.clause.end(),
                      [](const Form &form) { return form.isExact(); }))
        assumptions.push_back(std::move(assumed));
    }
  }

  /// Most questions with clauses of premises for one part.
  static constexpr unsigned kMostTries = 24;

  /// Takes up a clause where an answer does not satisfy it: one of its forms is
  /// then not negative. Clauses that no answer needs are not looked at.
  Dependence askUnderPremises(const Rows &all) {
    unsigned tries = 0;
    std::vector<Rows> open = {all};
    Dependence result = {Truth::Refuted};
    while (!open.empty()) {
      Rows rows = std::move(open.back());
      open.pop_back();
      if (limits.work == 0 || ++tries > kMostTries)
        return {Truth::Unknown, std::nullopt, Limit::Work};
      Dependence found = askPart(rows);
      if (found.exists == Truth::Refuted)
        continue;
      // What holds without alternatives may be enough.
      if (found.exists == Truth::Unknown && addSingle(rows))
        found = askPart(rows);
      if (found.exists == Truth::Unknown)
        result = found;
      if (found.exists != Truth::Proved)
        continue;
      const Assumption *broken = findBroken();
      if (!broken)
        return found;
      for (const Form &form : broken->clause) {
        Rows more = rows;
        more.insert(more.end(), broken->facts.begin(), broken->facts.end());
        more.push_back(isNotNegative(form));
        open.push_back(std::move(more));
      }
    }
    return result;
  }

  bool addSingle(Rows &rows) const {
    size_t before = rows.size();
    for (const Assumption &assumed : assumptions)
      if (assumed.clause.size() == 1) {
        rows.insert(rows.end(), assumed.facts.begin(), assumed.facts.end());
        rows.push_back(isNotNegative(assumed.clause.front()));
      }
    return rows.size() > before;
  }

  /// A shortest clause that the latest point does not satisfy.
  const Assumption *findBroken() const {
    const Assumption *broken = nullptr;
    for (const Assumption &assumed : assumptions) {
      bool holds = std::any_of(
          assumed.clause.begin(), assumed.clause.end(), [&](const Form &form) {
            std::optional<__int128> value = space.evaluate(form, point);
            return !value || *value >= 0;
          });
      if (!holds && (!broken || assumed.clause.size() < broken->clause.size()))
        broken = &assumed;
    }
    return broken;
  }

  Dependence askPart(const Rows &rows) {
    for (const Row &row : rows)
      if (!row.form.isExact())
        return {Truth::Unknown, std::nullopt, Limit::Overflow};
    std::vector<Variable> factors = findFactors(rows);
    Truth truth = Truth::Unknown;
    if (factors.empty()) {
      size_t work = limits.work / 2;
      PointSearch search = findPoint(space, rows, work);
      limits.work -= limits.work / 2 - work;
      if (search.exists == Truth::Proved)
        return {Truth::Proved, describe(std::move(search.point))};
      truth = search.exists;
    } else if (std::optional<Meeting> meeting = sample(rows, factors)) {
      return {Truth::Proved, std::move(meeting)};
    }
    if (truth == Truth::Refuted)
      return {Truth::Refuted};
    Rows defined = rows;
    addDefinitions(space, /*ofUnknown=*/true, defined);
    addDefinitions(space, /*ofUnknown=*/false, defined);
    // A proof by simplex combines pairs of rows.
    limits.work -= std::min(limits.work, defined.size() * defined.size() / 8);
    if (provesEmpty(space, defined))
      return {Truth::Refuted};
    defined = rows;
    addDefinitions(space, /*ofUnknown=*/true, defined);
    Space copy = space;
    Projection projection = eliminate(copy, std::move(defined), {}, limits);
    if (projection.limit != Limit::None)
      return {Truth::Unknown, std::nullopt, projection.limit};
    for (Rows &part : projection.parts) {
      addDefinitions(copy, /*ofUnknown=*/false, part);
      if (!provesEmpty(copy, part))
        return {Truth::Unknown, std::nullopt,
                factors.empty() ? Limit::Work : Limit::Product};
    }
    return {Truth::Refuted};
  }

  /// The variables that are known in front, or exist, and occur in products:
  /// with values for these, rows are affine. The symbols suffice where products
  /// have one unknown.
  std::vector<Variable> findFactors(const Rows &rows) const {
    std::vector<Variable> factors;
    auto visit = [&](auto &&self, const Form &form) -> void {
      for (const Form::Term &term : form.getTerms())
        for (unsigned i = 0; i < term.monomial.getDegree(); ++i) {
          Variable factor = term.monomial.getFactor(i);
          if (const Space::Quotient *quotient = space.getQuotient(factor))
            self(self, quotient->numerator);
          if (!term.monomial.isVariable() && factor < symbols.size() &&
              std::find(factors.begin(), factors.end(), factor) ==
                  factors.end())
            factors.push_back(factor);
        }
    };
    for (const Row &row : rows)
      visit(visit, row.form);
    return factors;
  }

  /// A meeting for some small values of `factors`, which makes rows affine.
  std::optional<Meeting> sample(const Rows &rows,
                                const std::vector<Variable> &factors) {
    for (int64_t value : {3, 1, 2, 0, 7}) {
      Space fixed;
      std::vector<Form> base;
      for (size_t i = 0; i < symbols.size(); ++i)
        base.push_back(fixed.addSymbol("s" + std::to_string(i)));
      Rows equal;
      for (Variable factor : factors) {
        equal.push_back(isZero(base[factor] - Form(value)));
        base[factor] = Form(value);
      }
      Import import(space, fixed, std::move(base));
      Rows taken = import.take(rows);
      if (std::any_of(taken.begin(), taken.end(),
                      [](const Row &row) { return hasProduct(row.form); }))
        return std::nullopt;
      std::vector<Form> numbers;
      for (size_t i = 0; i < space.getNumVariables(); ++i)
        numbers.push_back(import.take(Form::variable(Variable(i))));
      taken.insert(taken.end(), equal.begin(), equal.end());
      size_t work = limits.work / 8;
      PointSearch search = findPoint(fixed, std::move(taken), work);
      limits.work -= limits.work / 8 - work;
      if (search.exists != Truth::Proved)
        continue;
      std::vector<int64_t> point;
      for (const Form &number : numbers) {
        std::optional<__int128> value = fixed.evaluate(number, search.point);
        if (!value || *value != int64_t(*value))
          return std::nullopt;
        point.push_back(int64_t(*value));
      }
      for (Variable factor : factors)
        point[factor] = value;
      return describe(std::move(point));
    }
    return std::nullopt;
  }

  static bool hasProduct(const Form &form) {
    return std::any_of(
        form.getTerms().begin(), form.getTerms().end(),
        [](const Form::Term &term) { return !term.monomial.isVariable(); });
  }

  Meeting describe(std::vector<int64_t> found) {
    point = std::move(found);
    Meeting meeting;
    auto evaluate = [&](const std::vector<Form> &forms) {
      std::vector<int64_t> values;
      for (const Form &form : forms)
        values.push_back(int64_t(space.evaluate(form, point).value_or(0)));
      return values;
    };
    meeting.first = evaluate(a.loops);
    meeting.second = evaluate(b.loops);
    meeting.element = evaluate(a.subscripts);
    meeting.symbols = evaluate(symbols);
    return meeting;
  }

  const Directions &directions;
  Limits limits;
  Space space;
  std::vector<Form> symbols;
  Side a, b;
  std::vector<Assumption> assumptions;
  /// The values of all variables in the latest meeting.
  std::vector<int64_t> point;
  bool isRead = false;
  Limit limit = Limit::None;
};

} // namespace

Dependence poly::findDependence(const PlacedAccess &first,
                                const PlacedAccess &second,
                                const Directions &directions,
                                const Premises &premises, Limits limits) {
  return Question(first, second, directions, premises, limits).ask();
}
