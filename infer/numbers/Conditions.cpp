//===- Conditions.cpp - comparisons and what is known of them -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Conditions.h"
#include "infer/numbers/AffineSolver.h"
#include "infer/numbers/FormSplit.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

using namespace broadloom;
using namespace broadloom::infer;

ConditionId infer::equal(Numbers &numbers, const Number &a, const Number &b) {
  // The difference of two constants may not fit; any other one has a result.
  if (a.isConstant() && b.isConstant())
    return numbers.constant(a.constant == b.constant);
  Number difference = *subtract(numbers, a, b);
  // Uses natural bounds alone; facts are used when the condition is decided.
  Bounds bounds = numbers.naturalBoundsOf(difference);
  if (difference.isConstant() || bounds.lo > 0 || bounds.hi < 0)
    return numbers.constant(difference.isConstant(0));
  // n - m and m - n are 0 together.
  if (difference.terms.front().factor < 0)
    difference = negate(numbers, difference);
  return numbers.makeCondition(
      {Condition::Kind::Zero, std::move(difference), 0, 0});
}

ConditionId infer::atMost(Numbers &numbers, const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return numbers.constant(a.constant <= b.constant);
  Number difference = *subtract(numbers, b, a);
  Bounds bounds = numbers.naturalBoundsOf(difference);
  if (bounds.lo >= 0 || bounds.hi < 0)
    return numbers.constant(bounds.lo >= 0);
  return numbers.makeCondition(
      {Condition::Kind::NotNegative, std::move(difference), 0, 0});
}

ConditionId infer::lessThan(Numbers &numbers, const Number &a,
                            const Number &b) {
  if (a.isConstant() && b.isConstant())
    return numbers.constant(a.constant < b.constant);
  return atMost(numbers, Number(1), *subtract(numbers, b, a));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static Answer decideZero(const Numbers &numbers, const Number &number) {
  if (number.isConstant())
    return number.constant == 0
               ? Answer::proved("both are the same number")
               : Answer::refuted("the numbers differ whatever the extents are");
  Split split(number);
  // 2*n + 1 is never 0.
  if (number.constant % split.factor != 0)
    return Answer::refuted("the numbers differ whatever the extents are");
  const FormFact *known = numbers.getFacts().findForm(split.form);
  Bounds bounds = boundsOf(numbers, number);
  if (bounds.lo > 0 || bounds.hi < 0)
    return Answer::refuted("the numbers' bounds exclude each other",
                           bounds.lo > 0 ? split.findAtLeast(known, 1)
                                         : split.findAtMost(known, -1));
  if (bounds.lo == 0 && bounds.hi == 0) {
    int32_t least = split.findAtLeast(known, 0);
    return Answer::proved(
        "the numbers are known to be equal",
        least == split.findAtMost(known, 0) ? least : Answer::kNoFact);
  }
  if (WideBounds wide = wideBoundsOf(numbers, number);
      wide.lo > 0 || wide.hi < 0)
    return Answer::refuted("no extent is large enough for it to hold");
  int64_t value = -number.constant / split.factor;
  if (const int32_t *fact = known ? known->findOther(value) : nullptr)
    return Answer::refuted("the numbers are known to differ", *fact);
  Answer bySymbols = compareSymbols(numbers, number);
  if (!bySymbols.isUnknown())
    return bySymbols;
  if (std::optional<Number> renamed = renameFactors(numbers, number))
    return decideZero(numbers, *renamed);
  return AffineSolver(numbers).isZero(number);
}

static Answer decideNotNegative(const Numbers &numbers, const Number &number) {
  if (number.isConstant())
    return number.constant >= 0
               ? Answer::proved("it holds of the numbers")
               : Answer::refuted("it does not hold of the numbers");
  Bounds bounds = boundsOf(numbers, number);
  if (bounds.lo < 0 && bounds.hi >= 0) {
    // Uses bounds beyond 64 bits, and the limit of memory (ext-5).
    WideBounds wide = wideBoundsOf(numbers, number);
    if (wide.lo >= 0)
      return Answer::proved("no extent is large enough for it to fail");
    if (wide.hi < 0)
      return Answer::refuted("no extent is large enough for it to hold");
    return AffineSolver(numbers).isNotNegative(number);
  }
  Split split(number);
  const FormFact *known = numbers.getFacts().findForm(split.form);
  return bounds.lo >= 0
             ? Answer::proved("the numbers are within these bounds",
                              split.findAtLeast(known, 0))
             : Answer::refuted("the numbers are outside these bounds",
                               split.findAtMost(known, -1));
}

using Answers = llvm::DenseMap<ConditionId, Answer>;

/// Conditions share parts, so that each is decided once.
static Answer decideOnce(const Numbers &numbers, ConditionId id,
                         Answers &before) {
  const Condition &condition = numbers.getCondition(id);
  using Kind = Condition::Kind;
  if (condition.kind == Kind::True)
    return Answer::proved(numbers.hasFacts()
                              ? "it follows from what is known of the extents"
                              : "it holds whatever the extents are");
  if (condition.kind == Kind::False)
    return Answer::refuted("it holds for no extents");
  if (auto *known = numbers.getFacts().findTruth(id))
    return known->first == Truth::Proved
               ? Answer::proved("it has been checked before", known->second)
               : Answer::refuted("the opposite has been checked before",
                                 known->second);
  if (condition.kind == Kind::Zero)
    return decideZero(numbers, condition.number);
  if (condition.kind == Kind::NotNegative)
    return decideNotNegative(numbers, condition.number);
  if (condition.kind == Kind::Unknown)
    return {};
  if (auto it = before.find(id); it != before.end())
    return it->second;
  Answer a = decideOnce(numbers, condition.a, before);
  if (condition.kind == Kind::Not)
    return before[id] = a.negated();
  Truth decides = condition.kind == Kind::And ? Truth::Refuted : Truth::Proved;
  if (a.truth() == decides)
    return before[id] = a;
  Answer b = decideOnce(numbers, condition.b, before);
  if (b.truth() == decides)
    return before[id] = b;
  if (a.isUnknown() || b.isUnknown())
    return before[id] = {};
  return before[id] = a.fact() != Answer::kNoFact ? a : b;
}

Answer infer::decide(const Numbers &numbers, ConditionId id) {
  Answers before;
  return decideOnce(numbers, id, before);
}

bool infer::isNotNegative(const Numbers &numbers, const Number &number) {
  return decideNotNegative(numbers, number).isProved();
}
