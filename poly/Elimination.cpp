//===- Elimination.cpp - exact projection over integers -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer x with l <= a*x and b*x <= u exists exactly if l rounded up to a
// multiple of a, divided by a, is at most u / b, rounded down. So pairs of rows
// are enough:
//
//   a or b is 1             one row: b*l <= a*u
//   u or l has no unknown   one row with the quotient u / b or l / a
//   a*u - b*l is large      nothing is left: (a - 1) * (b - 1) is enough
//   else                    one case for each remainder of u by b
//
// A coefficient that is a form of symbols, not negative, stands in a pair as a
// does, if the other row is of one of the first two kinds.
//
//===----------------------------------------------------------------------===//

#include "poly/Elimination.h"

#include "poly/Equalities.h"
#include "poly/Implication.h"
#include "poly/Normal.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::poly;

const char *poly::describe(Limit limit) {
  switch (limit) {
  case Limit::None:
    return "the answer is exact";
  case Limit::Overflow:
    return "a coefficient does not fit 64 bits";
  case Limit::Unknowns:
    return "there are too many loops and quotients";
  case Limit::Rows:
    return "there are too many bounds and conditions";
  case Limit::Parts:
    return "there are too many cases";
  case Limit::Work:
    return "the analysis takes too long";
  case Limit::Product:
    return "it has a product that is not of a loop and a symbol";
  case Limit::Arity:
    return "the numbers of inputs and outputs do not fit";
  }
  return "";
}

namespace {

/// A row that bounds an unknown: coefficient * unknown + rest >= 0 for a lower
/// bound, rest - coefficient * unknown >= 0 for an upper one. The coefficient
/// is a positive number or a form of symbols that is not negative.
struct Bound {
  size_t row;
  Form coefficient, rest;

  bool isNumber() const { return coefficient.isConstant(); }
  bool isUnit() const { return coefficient == Form(1); }
};

/// The rows that bound an unknown.
struct Bounds {
  std::vector<Bound> lower, upper;
  /// Whose coefficients are forms of symbols, as they stand in their rows.
  std::vector<Bound> symbolic;
};

class Eliminator {
public:
  Eliminator(Space &space, const Rows &facts, Limits &limits)
      : space(space), facts(facts), limits(limits) {}

  Projection run(Rows rows) {
    pending.push_back(std::move(rows));
    while (!pending.empty() && result.limit == Limit::None) {
      Rows next = std::move(pending.back());
      pending.pop_back();
      solve(std::move(next));
    }
    return std::move(result);
  }

private:
  /// Stops with `limit`.
  void stop(Limit limit) { result.limit = limit; }

  bool spend(size_t work) {
    if (limits.work < work) {
      stop(Limit::Work);
      return false;
    }
    limits.work -= work;
    return true;
  }

  bool tighten(Rows &rows);
  void solve(Rows rows);
  std::vector<Variable> findUnknowns(const Rows &rows) const;
  std::optional<Bounds> findBounds(const Rows &rows, Variable unknown) const;
  /// The greatest rank of choose().
  static constexpr int kInexact = 3;
  std::optional<Variable> choose(const Rows &rows,
                                 const std::vector<Variable> &unknowns,
                                 int &rankOfBest) const;
  bool eliminate(Rows &rows, Variable unknown);
  bool decideSigns(const Rows &rows, Bounds &bounds, Rows &rest);
  bool isUnbounded(const Rows &rows, const Bounds &bounds, Rows &rest);
  bool isExact(const Bound &lower, const Bound &upper) const;
  Form pairExactly(const Bound &lower, const Bound &upper);
  bool isEnough(const Bound &lower, const Bound &upper, Rows &rest);
  void divideIntoCases(const Rows &rows, Variable unknown, const Bound &lower,
                       const Bound &upper);
  bool isProved(const Rows &rows, const Form &form);
  bool isSign(const Rows &rows, const Form &form, Rows &rest);
  void addCase(Rows rows);

  Space &space;
  const Rows &facts;
  Limits &limits;
  std::vector<Rows> pending;
  Projection result;
};

} // namespace

/// Divides inequalities by the common divisor of the coefficients of unknowns,
/// which is exact over integers: what is known becomes a quotient. False if
/// there is nothing to divide.
bool Eliminator::tighten(Rows &rows) {
  bool isChanged = false;
  for (Row &row : rows) {
    int64_t divisor = 0;
    if (row.isZero || !row.form.isExact())
      continue;
    for (const Form::Term &term : row.form.getTerms()) {
      if (space.hasUnknown(term.monomial))
        divisor = std::gcd(divisor, term.coefficient);
    }
    if (divisor > 1)
      row.form = space.floorDivide(row.form, divisor);
    isChanged |= divisor > 1;
  }
  return isChanged;
}

void Eliminator::solve(Rows rows) {
  for (;;) {
    Normal normal = normalise(rows);
    if (normal == Normal::Overflow)
      stop(Limit::Overflow);
    if (normal != Normal::Fine)
      return;
    if (rows.size() > limits.rows)
      return stop(Limit::Rows);
    if (!spend(rows.size()))
      return;
    if (solveEquality(space, rows, limits))
      continue;
    std::vector<Variable> unknowns = findUnknowns(rows);
    if (unknowns.size() > limits.unknowns)
      return stop(Limit::Unknowns);
    if (unknowns.empty()) {
      result.parts.push_back(std::move(rows));
      return;
    }
    for (size_t i = 0, end = rows.size(); i < end; ++i)
      if (rows[i].isZero && space.hasUnknown(rows[i].form)) {
        rows.push_back(isNotNegative(-rows[i].form));
        rows[i].isZero = false;
      }
    int rank = 0;
    std::optional<Variable> unknown = choose(rows, unknowns, rank);
    if (!unknown)
      return stop(Limit::Product);
    if (rank == kInexact && tighten(rows))
      continue;
    if (!eliminate(rows, *unknown))
      return;
  }
}

void Eliminator::addCase(Rows rows) {
  if (result.parts.size() + pending.size() >= limits.parts)
    return stop(Limit::Parts);
  Rows all = rows;
  all.insert(all.end(), facts.begin(), facts.end());
  if (spend(all.size()) && !provesEmpty(space, std::move(all)))
    pending.push_back(std::move(rows));
}

bool Eliminator::isProved(const Rows &rows, const Form &form) {
  if (!spend(rows.size()))
    return false;
  Rows all = rows;
  all.insert(all.end(), facts.begin(), facts.end());
  return proves(space, all, isNotNegative(form));
}

//===----------------------------------------------------------------------===//
// The choice of an unknown
//===----------------------------------------------------------------------===//

std::vector<Variable> Eliminator::findUnknowns(const Rows &rows) const {
  std::vector<Variable> unknowns;
  for (const Row &row : rows)
    for (const Form::Term &term : row.form.getTerms())
      for (unsigned i = 0; i < term.monomial.getDegree(); ++i)
        if (space.isUnknown(term.monomial.getFactor(i)))
          unknowns.push_back(term.monomial.getFactor(i));
  std::sort(unknowns.begin(), unknowns.end());
  unknowns.erase(std::unique(unknowns.begin(), unknowns.end()), unknowns.end());
  return unknowns;
}

/// Nothing if the unknown is in a product with an unknown.
std::optional<Bounds> Eliminator::findBounds(const Rows &rows,
                                             Variable unknown) const {
  Bounds bounds;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].form.contains(unknown))
      continue;
    auto [coefficient, rest] = rows[i].form.split(unknown);
    if (space.hasUnknown(coefficient))
      return std::nullopt;
    if (!coefficient.isConstant())
      bounds.symbolic.push_back({i, coefficient, rest});
    else if (coefficient.getConstant() > 0)
      bounds.lower.push_back({i, coefficient, rest});
    else
      bounds.upper.push_back({i, -coefficient, rest});
  }
  return bounds;
}

/// Whether pairExactly() takes the pair without a remainder.
bool Eliminator::isExact(const Bound &lower, const Bound &upper) const {
  return lower.isUnit() || upper.isUnit() ||
         (lower.isNumber() && !space.hasUnknown(lower.rest)) ||
         (upper.isNumber() && !space.hasUnknown(upper.rest));
}

/// The unknown whose elimination is exact without quotients and makes the
/// fewest rows, or is nearest to that.
std::optional<Variable>
Eliminator::choose(const Rows &rows, const std::vector<Variable> &unknowns,
                   int &rankOfBest) const {
  std::optional<Variable> best;
  std::pair<int, int64_t> leastCost;
  for (Variable unknown : unknowns) {
    std::optional<Bounds> bounds = findBounds(rows, unknown);
    if (!bounds)
      continue;
    int rank = bounds->symbolic.empty() ? 0 : 2;
    for (const Bound &lower : bounds->lower)
      for (const Bound &upper : bounds->upper)
        if (!isExact(lower, upper))
          rank = kInexact;
        else if (!lower.isUnit() && !upper.isUnit())
          rank = std::max(rank, 1);
    int64_t lower = bounds->lower.size(), upper = bounds->upper.size(),
            symbolic = bounds->symbolic.size();
    std::pair<int, int64_t> cost = {rank,
                                    lower * upper - lower - upper + symbolic};
    if (!best || cost < leastCost) {
      best = unknown;
      leastCost = cost;
      rankOfBest = rank;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Inequalities
//===----------------------------------------------------------------------===//

/// Whether `form` is not negative where `rows` hold, which `rest` then says
/// too, since the rows of the unknown are not in there.
bool Eliminator::isSign(const Rows &rows, const Form &form, Rows &rest) {
  if (!isProved(rows, form))
    return false;
  rest.push_back(isNotNegative(form));
  return true;
}

/// Makes lower and upper bounds of those with forms as coefficients. False if
/// the sign of one divides the question into two cases.
bool Eliminator::decideSigns(const Rows &rows, Bounds &bounds, Rows &rest) {
  for (Bound &bound : bounds.symbolic) {
    if (isSign(rows, bound.coefficient, rest)) {
      bounds.lower.push_back(bound);
      continue;
    }
    Bound opposite = {bound.row, -bound.coefficient, bound.rest};
    if (isSign(rows, opposite.coefficient, rest)) {
      bounds.upper.push_back(opposite);
      continue;
    }
    for (const Row &sign : {isNotNegative(bound.coefficient),
                            isNotNegative(opposite.coefficient - 1)}) {
      Rows part = rows;
      part.push_back(sign);
      addCase(std::move(part));
    }
    return false;
  }
  return true;
}

/// Whether all bounds on one side are missing, and those of the other side hold
/// for some integer whatever their rests are.
bool Eliminator::isUnbounded(const Rows &rows, const Bounds &bounds,
                             Rows &rest) {
  if (!bounds.lower.empty() && !bounds.upper.empty())
    return false;
  for (const std::vector<Bound> *side : {&bounds.lower, &bounds.upper})
    for (const Bound &bound : *side)
      if (!bound.isNumber() && !isSign(rows, bound.coefficient - 1, rest)) {
        stop(Limit::Product);
        return false;
      }
  return true;
}

/// What is not negative exactly if an integer is within both bounds.
Form Eliminator::pairExactly(const Bound &lower, const Bound &upper) {
  if (lower.isUnit() || upper.isUnit())
    return lower.coefficient * upper.rest + upper.coefficient * lower.rest;
  if (upper.isNumber() && !space.hasUnknown(upper.rest))
    return lower.coefficient *
               space.floorDivide(upper.rest, upper.coefficient.getConstant()) +
           lower.rest;
  return upper.coefficient *
             space.floorDivide(lower.rest, lower.coefficient.getConstant()) +
         upper.rest;
}

/// Whether `rest`, which has what two bounds with numbers as coefficients say
/// of the rationals between them, puts so much there that it is an integer.
bool Eliminator::isEnough(const Bound &lower, const Bound &upper, Rows &rest) {
  if (!lower.isNumber() || !upper.isNumber())
    return false;
  int64_t a = lower.coefficient.getConstant(),
          b = upper.coefficient.getConstant(), needed = 0;
  if (__builtin_mul_overflow(a - 1, b - 1, &needed))
    return false;
  Form between = Form::combine(a, upper.rest, b, lower.rest);
  rest.push_back(isNotNegative(between));
  between = between - needed;
  if (between.isConstant())
    return between.getConstant() >= 0;
  return isProved(rest, between);
}

/// One case for each remainder of a bound's rest.
void Eliminator::divideIntoCases(const Rows &rows, Variable unknown,
                                 const Bound &lower, const Bound &upper) {
  bool takesLower =
      lower.isNumber() && canSolve(space, lower.rest) &&
      (!upper.isNumber() || !canSolve(space, upper.rest) ||
       lower.coefficient.getConstant() < upper.coefficient.getConstant());
  const Bound &bound = takesLower ? lower : upper;
  if (!bound.isNumber() || !canSolve(space, bound.rest))
    return stop(Limit::Product);
  int64_t by = bound.coefficient.getConstant();
  if (by > int64_t(limits.parts))
    return stop(Limit::Parts);
  Form quotient = space.addUnknown("q");
  for (int64_t remainder = 0; remainder < by && result.limit == Limit::None;
       ++remainder) {
    Rows part = rows;
    part[bound.row] = isNotNegative(Form::combine(
        1, quotient, takesLower ? 1 : -1, Form::variable(unknown)));
    part.push_back(
        isZero(Form::combine(1, bound.rest, -by, quotient) - remainder));
    addCase(std::move(part));
  }
}

/// False if cases were added instead.
bool Eliminator::eliminate(Rows &rows, Variable unknown) {
  Bounds bounds = *findBounds(rows, unknown);
  Rows rest;
  for (const Row &row : rows)
    if (!row.form.contains(unknown))
      rest.push_back(row);
  if (!decideSigns(rows, bounds, rest))
    return false;
  if (!isUnbounded(rows, bounds, rest)) {
    if (result.limit != Limit::None ||
        !spend(bounds.lower.size() * bounds.upper.size()))
      return false;
    std::vector<std::pair<const Bound *, const Bound *>> others;
    for (const Bound &lower : bounds.lower)
      for (const Bound &upper : bounds.upper)
        if (isExact(lower, upper))
          rest.push_back(isNotNegative(pairExactly(lower, upper)));
        else
          others.push_back({&lower, &upper});
    for (auto [lower, upper] : others)
      if (!isEnough(*lower, *upper, rest)) {
        divideIntoCases(rows, unknown, *lower, *upper);
        return false;
      }
  }
  rows = std::move(rest);
  return true;
}

Projection poly::eliminate(Space &space, Rows rows, const Rows &facts,
                           Limits &limits) {
  return Eliminator(space, facts, limits).run(std::move(rows));
}
