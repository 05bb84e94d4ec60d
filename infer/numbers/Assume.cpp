//===- Assume.cpp - what is learned of numbers ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Conditions.h"
#include "infer/numbers/FormSplit.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;
using namespace broadloom::infer;

/// How many values that a form does not have are kept.
static constexpr size_t kMaxNotEqual = 4;

static void assumeForm(Numbers &numbers, const Number &number, Bounds bounds,
                       int32_t fact);

/// If a / 4, rounded down, is at least 2, then a is at least 8.
static void assumeDividend(Numbers &numbers, const Number &form, Bounds bounds,
                           int32_t fact) {
  if (form.terms.size() != 1 || form.terms.front().atoms.size() != 1)
    return;
  const Atom &atom = numbers.getAtom(form.terms.front().atoms.front());
  int64_t by = atom.b.isConstant() ? atom.b.constant : 0;
  if (atom.kind != Atom::Kind::Quotient || by <= 0)
    return;
  Bounds least = multiplyBounds(bounds, {by, by});
  assumeForm(numbers, atom.a, {least.lo, addBounds(least, {by - 1, by - 1}).hi},
             fact);
}

/// A contradiction means that the code is unreachable; it is not recorded.
static void assumeForm(Numbers &numbers, const Number &number, Bounds bounds,
                       int32_t fact) {
  if (number.isConstant())
    return;
  Split split(number);
  const FormFact *before = numbers.getFacts().findForm(split.form);
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
    numbers.getFacts().setForm(split.form, std::move(known));
    assumeDividend(numbers, split.form, ofForm, fact);
  }
}

static void assumeNotZero(Numbers &numbers, const Number &number,
                          int32_t fact) {
  if (number.isConstant())
    return;
  // A number that is neither 0 nor negative is at least 1.
  Bounds bounds = boundsOf(numbers, number);
  if (bounds.lo == 0)
    return assumeForm(numbers, number, {1, Bounds::kNone}, fact);
  if (bounds.hi == 0)
    return assumeForm(numbers, number, {-Bounds::kNone, -1}, fact);
  Split split(number);
  if (number.constant % split.factor != 0)
    return;
  const FormFact *before = numbers.getFacts().findForm(split.form);
  FormFact known = before ? *before : FormFact();
  int64_t value = -number.constant / split.factor;
  if (known.notEqual.size() >= kMaxNotEqual || known.findOther(value))
    return;
  known.notEqual.push_back({value, fact});
  numbers.getFacts().setForm(split.form, std::move(known));
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
  // The remainder is an atom, so that its dividend is no constant.
  return std::pair(*subtract(numbers, atom.a, Number(value)), atom.b);
}

static void assumeOne(Numbers &numbers, ConditionId id, int32_t fact) {
  const Condition condition = numbers.getCondition(id);
  using Kind = Condition::Kind;
  switch (condition.kind) {
  case Kind::NotNegative:
    return assumeForm(numbers, condition.number, {0, Bounds::kNone}, fact);
  case Kind::Zero:
    assumeForm(numbers, condition.number, {0, 0}, fact);
    // A known remainder gives a multiple of the divisor, from which remainders
    // by other divisors may follow.
    if (std::optional<std::pair<Number, Number>> known =
            splitRemainder(numbers, condition.number))
      if (std::optional<Number> product =
              multiply(numbers, known->second,
                       divide(numbers, known->first, known->second)))
        assumeOne(numbers, equal(numbers, known->first, *product), fact);
    return;
  case Kind::Or:
    numbers.getFacts().setTruth(id, Truth::Proved, fact);
    // If one side is refuted, the other holds.
    for (auto [one, other] : {std::pair(condition.a, condition.b),
                              std::pair(condition.b, condition.a)})
      if (Condition::Kind kind = numbers.getCondition(other).kind;
          kind != Kind::Or && kind != Kind::And &&
          decide(numbers, one).isRefuted())
        return assumeOne(numbers, other, fact);
    return;
  case Kind::Not: {
    const Condition inner = numbers.getCondition(condition.a);
    numbers.getFacts().setTruth(condition.a, Truth::Refuted, fact);
    if (inner.kind == Kind::NotNegative)
      assumeForm(numbers, inner.number, {-Bounds::kNone, -1}, fact);
    else if (inner.kind == Kind::Zero)
      assumeNotZero(numbers, inner.number, fact);
    return;
  }
  default:
    return;
  }
}

void infer::assume(Numbers &numbers, ConditionId id, int32_t fact) {
  for (ConditionId part : numbers.getParts(id))
    assumeOne(numbers, part, fact);
}

void infer::record(Numbers &numbers, ConditionId id, std::string_view origin) {
  for (ConditionId part : numbers.getParts(id)) {
    if (decide(numbers, part).isProved())
      continue;
    recordSymbols(numbers, part, origin);
    assumeOne(numbers, part, numbers.getSymbols().addFact(origin));
  }
}
