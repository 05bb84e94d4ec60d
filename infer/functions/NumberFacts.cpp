//===- NumberFacts.cpp - what is learned of numbers -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/AffineSolver.h"
#include "infer/functions/BoundArithmetic.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::infer;

/// How far bounds look into quotients of minima of sums ...
static constexpr unsigned kDepth = 3;
/// How many values that a form does not have are remembered.
static constexpr size_t kMaxNotEqual = 4;

namespace {
/// number = factor * form + constant, the factor positive or negative.
struct Split {
  Number form;
  int64_t factor = 1;
  int64_t constant = 0;

  explicit Split(const Number &number) : constant(number.constant) {
    int64_t divisor = 0;
    for (const Term &term : number.terms)
      divisor = std::gcd(divisor, term.factor);
    factor = number.terms.front().factor < 0 ? -divisor : divisor;
    for (const Term &term : number.terms)
      form.terms.push_back({term.atoms, term.factor / factor});
  }

  /// The form's bounds where the number has these.
  Bounds ofForm(Bounds number) const {
    Bounds shifted = addBounds(number, {-constant, -constant});
    if (factor < 0)
      shifted = {shifted.hi == Bounds::kNone ? -Bounds::kNone : -shifted.hi,
                 shifted.lo == -Bounds::kNone ? Bounds::kNone : -shifted.lo};
    int64_t by = std::abs(factor);
    // lo rounded up, hi rounded down.
    Bounds up = divideBounds(addBounds(shifted, {by - 1, by - 1}), by);
    return {up.lo, divideBounds(shifted, by).hi};
  }
  /// The number's bounds where the form has these.
  Bounds ofNumber(Bounds form) const {
    return addBounds(multiplyBounds(form, {factor, factor}),
                     {constant, constant});
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

const FormFact *Numbers::findForm(const Number &form) const {
  auto it = forms.find(form);
  return it == forms.end() ? nullptr : &it->second;
}

Bounds Numbers::boundsOfAtom(AtomId id, unsigned depth) const {
  const Atom &atom = atoms[id];
  Bounds bounds = atom.bounds;
  if (depth == 0)
    return bounds;
  auto of = [&](const Number &number) { return boundsOf(number, depth - 1); };
  switch (atom.kind) {
  case Atom::Kind::Symbol: {
    ExtentRange range = symbols.range(Extent::symbol(atom.symbol));
    bounds = bounds.intersect({range.lo, range.hi});
    break;
  }
  case Atom::Kind::Sum:
    bounds = bounds.intersect(addBounds(of(atom.a), of(atom.b)));
    break;
  case Atom::Kind::Product:
    bounds = bounds.intersect(multiplyBounds(of(atom.a), of(atom.b)));
    break;
  case Atom::Kind::Quotient:
  case Atom::Kind::TruncatedQuotient: {
    Bounds a = of(atom.a), b = of(atom.b);
    // Toward 0 or down, what is not negative stays so and does not grow.
    if (a.lo >= 0 && b.lo >= 0)
      bounds = bounds.intersect({0, a.hi});
    if (atom.b.isConstant() && atom.b.constant > 0 &&
        (atom.kind == Atom::Kind::Quotient || a.lo >= 0))
      bounds = bounds.intersect(divideBounds(a, atom.b.constant));
    break;
  }
  case Atom::Kind::TruncatedRemainder:
    if (of(atom.a).lo >= 0)
      bounds.lo = std::max<int64_t>(bounds.lo, 0);
    break;
  case Atom::Kind::Minimum: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::min(a.lo, b.lo), std::min(a.hi, b.hi)});
    break;
  }
  case Atom::Kind::Maximum: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
    break;
  }
  case Atom::Kind::Select: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::min(a.lo, b.lo), std::max(a.hi, b.hi)});
    break;
  }
  default:
    break;
  }
  if (!forms.empty())
    if (const FormFact *known = findForm(single(id)))
      bounds = bounds.intersect(known->bounds);
  return bounds;
}

Bounds Numbers::boundsOf(const Number &number, unsigned depth) const {
  Bounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    Bounds product{term.factor, term.factor};
    for (AtomId id : term.atoms)
      product = multiplyBounds(product, boundsOfAtom(id, depth));
    sum = addBounds(sum, product);
  }
  if (depth > 0 && !forms.empty() && !number.isConstant()) {
    Split split(number);
    if (const FormFact *known = findForm(split.form))
      sum = sum.intersect(split.ofNumber(known->bounds));
  }
  return sum;
}

Bounds Numbers::boundsOf(const Number &number) const {
  return boundsOf(number, kDepth);
}

Bounds Numbers::naturalBoundsOf(const Number &number) const {
  return boundsOf(number, 0);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// What the table of symbols knows: n is 1, n is m; also of numbers that have
/// become symbols.
Answer Numbers::compareSymbols(const Number &number) const {
  Number plus(std::max<int64_t>(number.constant, 0));
  Number minus(std::max<int64_t>(-number.constant, 0));
  for (const Term &term : number.terms) {
    if (term.factor > 0)
      plus.terms.push_back(term);
    else
      minus.terms.push_back({term.atoms, -term.factor});
  }
  auto extentOf = [&](const Number &side) {
    if (side.isConstant())
      return Extent::fixed(side.constant);
    const Term &first = side.terms.front();
    if (side.constant == 0 && side.terms.size() == 1 && first.factor == 1 &&
        first.atoms.size() == 1 &&
        atoms[first.atoms[0]].kind == Atom::Kind::Symbol)
      return Extent::symbol(atoms[first.atoms[0]].symbol);
    auto it = defined.find(side);
    return it == defined.end() ? Extent() : Extent::symbol(it->second);
  };
  Extent a = extentOf(plus), b = extentOf(minus);
  if (a.isDynamic() || b.isDynamic())
    return {};
  return prover.equal(a, b);
}

Answer Numbers::decideZero(const Number &number) const {
  if (number.isConstant())
    return number.constant == 0
               ? Answer::proved("both are the same number")
               : Answer::refuted("the numbers differ whatever the extents are");
  Split split(number);
  // 2*n + 1 is never 0.
  if (number.constant % split.factor != 0)
    return Answer::refuted("the numbers differ whatever the extents are");
  const FormFact *known = findForm(split.form);
  int32_t fact = known ? known->fact : Answer::kNoFact;
  Bounds bounds = boundsOf(number);
  if (bounds.lo > 0 || bounds.hi < 0)
    return Answer::refuted("the numbers' bounds exclude each other", fact);
  if (bounds.lo == 0 && bounds.hi == 0)
    return Answer::proved("the numbers are known to be equal", fact);
  int64_t value = -number.constant / split.factor;
  if (known && llvm::is_contained(known->notEqual, value))
    return Answer::refuted("the numbers are known to differ", fact);
  Answer bySymbols = compareSymbols(number);
  if (!bySymbols.isUnknown())
    return bySymbols;
  return AffineSolver(*this).isZero(number);
}

Answer Numbers::decideNotNegative(const Number &number) const {
  if (number.isConstant())
    return number.constant >= 0
               ? Answer::proved("it holds of the numbers")
               : Answer::refuted("it does not hold of the numbers");
  Bounds bounds = boundsOf(number);
  if (bounds.lo < 0 && bounds.hi >= 0)
    return AffineSolver(*this).isNotNegative(number);
  const FormFact *known = findForm(Split(number).form);
  int32_t fact = known ? known->fact : Answer::kNoFact;
  return bounds.lo >= 0
             ? Answer::proved("the numbers are within these bounds", fact)
             : Answer::refuted("the numbers are outside these bounds", fact);
}

Answer Numbers::decide(ConditionId id) const {
  const Condition &condition = conditions[id];
  using Kind = Condition::Kind;
  if (condition.kind == Kind::True)
    return Answer::proved("it holds whatever the extents are");
  if (condition.kind == Kind::False)
    return Answer::refuted("it holds for no extents");
  if (auto it = truths.find(id); it != truths.end())
    return it->second.first == Truth::Proved
               ? Answer::proved("it has been checked before", it->second.second)
               : Answer::refuted("the opposite has been checked before",
                                 it->second.second);
  switch (condition.kind) {
  case Kind::Zero:
    return decideZero(condition.number);
  case Kind::NotNegative:
    return decideNotNegative(condition.number);
  case Kind::And:
  case Kind::Or: {
    Answer a = decide(condition.a), b = decide(condition.b);
    Truth decides =
        condition.kind == Kind::And ? Truth::Refuted : Truth::Proved;
    if (a.truth() == decides || b.truth() == decides)
      return a.truth() == decides ? a : b;
    if (a.isUnknown() || b.isUnknown())
      return {};
    return a.fact() != Answer::kNoFact ? a : b;
  }
  case Kind::Not:
    return decide(condition.a).negated();
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void Numbers::setForm(const Number &form, FormFact known) {
  auto [it, isNew] = forms.try_emplace(form);
  Change change;
  change.form = &it->first;
  if (!isNew)
    change.before = std::move(it->second);
  trail.push_back(std::move(change));
  it->second = std::move(known);
  if (!isNew || form.terms.size() < 2)
    return;
  for (const Term &term : form.terms)
    for (AtomId atom : term.atoms)
      formsOf[atom].push_back(&it->first);
}

void Numbers::setTruth(ConditionId condition, Truth truth, int32_t fact) {
  if (truths.try_emplace(condition, truth, fact).second)
    trail.push_back({nullptr, std::nullopt, condition});
}

void Numbers::rollBack(size_t mark) {
  for (; trail.size() > mark; trail.pop_back()) {
    Change &change = trail.back();
    if (!change.form) {
      truths.erase(change.condition);
      continue;
    }
    auto it = forms.find(*change.form);
    if (change.before) {
      it->second = std::move(*change.before);
      continue;
    }
    if (it->first.terms.size() >= 2)
      for (const Term &term : it->first.terms)
        for (AtomId atom : term.atoms)
          formsOf[atom].pop_back();
    forms.erase(it);
  }
}

/// A contradiction says that the place is never reached: it is not recorded.
void Numbers::assumeForm(const Number &number, Bounds bounds, int32_t fact) {
  if (number.isConstant())
    return;
  Split split(number);
  const FormFact *before = findForm(split.form);
  FormFact known = before ? *before : FormFact();
  known.bounds = known.bounds.intersect(split.ofForm(bounds));
  known.fact = fact;
  if (known.bounds.lo <= known.bounds.hi &&
      (!before || before->bounds.lo != known.bounds.lo ||
       before->bounds.hi != known.bounds.hi))
    setForm(split.form, std::move(known));
}

void Numbers::assumeNotZero(const Number &number, int32_t fact) {
  if (number.isConstant())
    return;
  // What is not 0 and never below is at least 1.
  Bounds bounds = boundsOf(number);
  if (bounds.lo == 0)
    return assumeForm(number, {1, Bounds::kNone}, fact);
  if (bounds.hi == 0)
    return assumeForm(number, {-Bounds::kNone, -1}, fact);
  Split split(number);
  if (number.constant % split.factor != 0)
    return;
  const FormFact *before = findForm(split.form);
  FormFact known = before ? *before : FormFact();
  int64_t value = -number.constant / split.factor;
  if (known.notEqual.size() >= kMaxNotEqual ||
      llvm::is_contained(known.notEqual, value))
    return;
  known.notEqual.push_back(value);
  known.fact = fact;
  setForm(split.form, std::move(known));
}

void Numbers::assume(ConditionId id, int32_t fact) {
  const Condition condition = conditions[id];
  using Kind = Condition::Kind;
  switch (condition.kind) {
  case Kind::NotNegative:
    return assumeForm(condition.number, {0, Bounds::kNone}, fact);
  case Kind::Zero:
    return assumeForm(condition.number, {0, 0}, fact);
  case Kind::And:
    assume(condition.a, fact);
    return assume(condition.b, fact);
  case Kind::Or:
    setTruth(id, Truth::Proved, fact);
    // Where one side cannot be, it is the other.
    if (decide(condition.a).isRefuted())
      assume(condition.b, fact);
    else if (decide(condition.b).isRefuted())
      assume(condition.a, fact);
    return;
  case Kind::Not: {
    const Condition inner = conditions[condition.a];
    setTruth(condition.a, Truth::Refuted, fact);
    if (inner.kind == Kind::NotNegative)
      assumeForm(inner.number, {-Bounds::kNone, -1}, fact);
    else if (inner.kind == Kind::Zero)
      assumeNotZero(inner.number, fact);
    else if (inner.kind == Kind::Or) {
      assume(negate(inner.a), fact);
      assume(negate(inner.b), fact);
    }
    return;
  }
  default:
    return;
  }
}

void Numbers::record(ConditionId id, std::string_view origin) {
  if (decide(id).isProved())
    return;
  recordSymbols(id, origin);
  assume(id, symbols.addFact(origin));
}

/// What broadcasts ask about: n is m, n is 4, n is not 1, n <= 8.
void Numbers::recordSymbols(ConditionId id, std::string_view origin) {
  const Condition condition = conditions[id];
  using Kind = Condition::Kind;
  if (condition.kind == Kind::And) {
    recordSymbols(condition.a, origin);
    return recordSymbols(condition.b, origin);
  }
  bool isNot = condition.kind == Kind::Not;
  const Condition about = isNot ? conditions[condition.a] : condition;
  if (about.kind != Kind::Zero && about.kind != Kind::NotNegative)
    return;
  Number plus(std::max<int64_t>(about.number.constant, 0));
  Number minus(std::max<int64_t>(-about.number.constant, 0));
  for (const Term &term : about.number.terms) {
    if (term.factor > 0)
      plus.terms.push_back(term);
    else
      minus.terms.push_back({term.atoms, -term.factor});
  }
  // Only what is an extent already: a sum of a condition need not be one.
  auto getExtent = [&](const Number &side) {
    if (side.isConstant() || defined.count(side))
      return extentOf(side);
    Extent none;
    if (side.constant != 0 || side.terms.size() != 1 ||
        side.terms[0].factor != 1 || side.terms[0].atoms.size() != 1)
      return none;
    const Atom &atom = atoms[side.terms[0].atoms[0]];
    return atom.kind == Atom::Kind::Symbol ? Extent::symbol(atom.symbol) : none;
  };
  Extent a = getExtent(plus), b = getExtent(minus);
  if (a.isDynamic() || b.isDynamic())
    return;
  if (about.kind == Kind::Zero) {
    if (!isNot)
      symbols.assumeEqual(a, b, origin);
    else if (a.isFixed(1) || b.isFixed(1))
      symbols.assumeNotOne(a.isFixed(1) ? b : a, origin);
    return;
  }
  // a >= b, or a < b.
  if (b.isFixed() && a.isSymbol())
    symbols.assumeBounds(a, isNot ? 0 : b.value(),
                         isNot ? b.value() - 1 : ExtentRange::kUnbounded,
                         origin);
  else if (a.isFixed() && b.isSymbol())
    symbols.assumeBounds(b, isNot ? a.value() + 1 : 0,
                         isNot ? ExtentRange::kUnbounded : a.value(), origin);
}
