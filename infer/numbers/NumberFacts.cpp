//===- NumberFacts.cpp - what is learned of numbers -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/AffineSolver.h"
#include "infer/numbers/FormSplit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// How many values that a form does not have are kept.
static constexpr size_t kMaxNotEqual = 4;

void Numbers::setForm(const Number &form, FormFact known) {
  forgetFound();
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
      formsOf[atom].push_back(&*it);
}

void Numbers::setTruth(ConditionId condition, Truth truth, int32_t fact) {
  if (truths.try_emplace(condition, truth, fact).second)
    trail.push_back({nullptr, std::nullopt, condition});
}

void Numbers::rollBack(size_t mark) {
  if (trail.size() > mark)
    forgetFound();
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

/// A contradiction means that the code is unreachable; it is not recorded.
void Numbers::assumeForm(const Number &number, Bounds bounds, int32_t fact) {
  if (number.isConstant())
    return;
  Split split(number);
  const FormFact *before = findForm(split.form);
  FormFact known = before ? *before : FormFact();
  known.bounds = known.bounds.intersect(split.ofForm(bounds));
  if (!before || before->bounds.lo != known.bounds.lo)
    known.atLeast = fact;
  if (!before || before->bounds.hi != known.bounds.hi)
    known.atMost = fact;
  if (known.bounds.lo <= known.bounds.hi &&
      (!before || before->bounds.lo != known.bounds.lo ||
       before->bounds.hi != known.bounds.hi)) {
    Bounds ofForm = known.bounds;
    setForm(split.form, std::move(known));
    assumeDividend(split.form, ofForm, fact);
  }
}

/// If a / 4, rounded down, is at least 2, then a is at least 8.
void Numbers::assumeDividend(const Number &form, Bounds bounds, int32_t fact) {
  if (form.terms.size() != 1 || form.terms.front().atoms.size() != 1)
    return;
  const Atom &atom = atoms[form.terms.front().atoms.front()];
  int64_t by = atom.b.isConstant() ? atom.b.constant : 0;
  if (atom.kind != Atom::Kind::Quotient || by <= 0)
    return;
  Bounds least = multiplyBounds(bounds, {by, by});
  assumeForm(atom.a, {least.lo, addBounds(least, {by - 1, by - 1}).hi}, fact);
}

void Numbers::assumeNotZero(const Number &number, int32_t fact) {
  if (number.isConstant())
    return;
  // A number that is neither 0 nor negative is at least 1.
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
  if (known.notEqual.size() >= kMaxNotEqual || known.findOther(value))
    return;
  known.notEqual.push_back({value, fact});
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

/// a - r and the constant b of `a mod b - r = 0`.
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
    // A known remainder gives a multiple of the divisor, from which remainders
    // by other divisors may follow.
    if (std::optional<std::pair<Number, Number>> known =
            splitRemainder(*this, condition.number))
      assumeOne(
          equal(known->first,
                multiply(known->second, divide(known->first, known->second))),
          fact);
    return;
  case Kind::Or:
    setTruth(id, Truth::Proved, fact);
    // If one side is refuted, the other holds.
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
