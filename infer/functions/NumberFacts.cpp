//===- NumberFacts.cpp - what is learned of numbers -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/AffineSolver.h"
#include "infer/functions/BoundArithmetic.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

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
  if (std::optional<Number> renamed = renameFactors(number))
    return decideZero(*renamed);
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
  Answers before;
  return decide(id, before);
}

/// Conditions share parts: each is asked once.
Answer Numbers::decide(ConditionId id, Answers &before) const {
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
  if (condition.kind == Kind::Zero)
    return decideZero(condition.number);
  if (condition.kind == Kind::NotNegative)
    return decideNotNegative(condition.number);
  if (condition.kind == Kind::Unknown)
    return {};
  if (auto it = before.find(id); it != before.end())
    return it->second;
  Answer a = decide(condition.a, before);
  if (condition.kind == Kind::Not)
    return before[id] = a.negated();
  Truth decides = condition.kind == Kind::And ? Truth::Refuted : Truth::Proved;
  if (a.truth() == decides)
    return before[id] = a;
  Answer b = decide(condition.b, before);
  if (b.truth() == decides)
    return before[id] = b;
  if (a.isUnknown() || b.isUnknown())
    return before[id] = {};
  return before[id] = a.fact() != Answer::kNoFact ? a : b;
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

std::vector<ConditionId> Numbers::getParts(ConditionId id) const {
  std::vector<ConditionId> parts, work{id};
  llvm::DenseSet<ConditionId> seen{id};
  while (!work.empty()) {
    ConditionId next = work.back();
    work.pop_back();
    const Condition &condition = conditions[next];
    if (condition.kind != Condition::Kind::And) {
      parts.push_back(next);
      continue;
    }
    for (ConditionId part : {condition.b, condition.a})
      if (seen.insert(part).second)
        work.push_back(part);
  }
  return parts;
}

void Numbers::assume(ConditionId id, int32_t fact) {
  for (ConditionId part : getParts(id))
    assumeOne(part, fact);
}

/// Of `a mod b - r = 0`: a - r and b, a number.
static std::optional<std::pair<Number, Number>>
splitRemainder(Numbers &numbers, const Number &number) {
  if (number.terms.size() != 1 || number.terms.front().atoms.size() != 1 ||
      std::abs(number.terms.front().factor) != 1)
    return std::nullopt;
  const Term &term = number.terms.front();
  const Atom atom = numbers.getAtom(term.atoms.front());
  int64_t value = -number.constant * term.factor;
  if (atom.kind != Atom::Kind::Remainder || !atom.b.isConstant() || value < 0 ||
      value >= atom.b.constant)
    return std::nullopt;
  return std::pair(numbers.subtract(atom.a, Number(value)), atom.b);
}

void Numbers::assumeOne(ConditionId id, int32_t fact) {
  const Condition condition = conditions[id];
  using Kind = Condition::Kind;
  switch (condition.kind) {
  case Kind::NotNegative:
    return assumeForm(condition.number, {0, Bounds::kNone}, fact);
  case Kind::Zero:
    assumeForm(condition.number, {0, 0}, fact);
    // A remainder that is known says what is a multiple, and so something of
    // the remainders by other divisors.
    if (std::optional<std::pair<Number, Number>> known =
            splitRemainder(*this, condition.number))
      assumeOne(
          equal(known->first,
                multiply(known->second, divide(known->first, known->second))),
          fact);
    return;
  case Kind::Or:
    setTruth(id, Truth::Proved, fact);
    // Where one side cannot be, it is the other.
    for (auto [one, other] : {std::pair(condition.a, condition.b),
                              std::pair(condition.b, condition.a)})
      if (Condition::Kind kind = conditions[other].kind;
          kind != Kind::Or && kind != Kind::And && decide(one).isRefuted())
        return assumeOne(other, fact);
    return;
  case Kind::Not: {
    const Condition inner = conditions[condition.a];
    setTruth(condition.a, Truth::Refuted, fact);
    if (inner.kind == Kind::NotNegative)
      assumeForm(inner.number, {-Bounds::kNone, -1}, fact);
    else if (inner.kind == Kind::Zero)
      assumeNotZero(inner.number, fact);
    return;
  }
  default:
    return;
  }
}

void Numbers::record(ConditionId id, std::string_view origin) {
  for (ConditionId part : getParts(id)) {
    if (decide(part).isProved())
      continue;
    recordSymbols(part, origin);
    assumeOne(part, symbols.addFact(origin));
  }
}
