//===- Conditions.cpp - statements about numbers --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Numbers.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// The limit of nested conditions; a deeper one is unknown.
static constexpr unsigned kMaxConditionDepth = 4096;

ConditionId Numbers::makeCondition(Condition condition) {
  condition.depth =
      1 + std::max({depthOf(condition.number), conditions[condition.a].depth,
                    conditions[condition.b].depth});
  if (condition.depth > kMaxConditionDepth)
    return kUnknown;
  auto [it, isNew] = internedConditions.try_emplace(
      {condition.kind, condition.number, condition.a, condition.b},
      conditions.size());
  if (isNew)
    conditions.push_back(std::move(condition));
  return it->second;
}

ConditionId Numbers::equal(const Number &a, const Number &b) {
  // The difference may not fit.
  if (a.isConstant() && b.isConstant())
    return constant(a.constant == b.constant);
  Number difference = subtract(a, b);
  // Uses natural bounds alone; facts are used when the condition is decided.
  Bounds bounds = naturalBoundsOf(difference);
  if (difference.isConstant() || bounds.lo > 0 || bounds.hi < 0)
    return constant(difference.isConstant(0));
  // n - m and m - n are 0 together.
  if (difference.terms.front().factor < 0)
    difference = multiply(difference, Number(-1));
  return makeCondition({Condition::Kind::Zero, std::move(difference), 0, 0});
}

ConditionId Numbers::atMost(const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return constant(a.constant <= b.constant);
  Number difference = subtract(b, a);
  Bounds bounds = naturalBoundsOf(difference);
  if (bounds.lo >= 0 || bounds.hi < 0)
    return constant(bounds.lo >= 0);
  return makeCondition(
      {Condition::Kind::NotNegative, std::move(difference), 0, 0});
}

ConditionId Numbers::lessThan(const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return constant(a.constant < b.constant);
  return atMost(Number(1), subtract(b, a));
}

ConditionId Numbers::both(ConditionId a, ConditionId b) {
  if (a == kFalse || b == kFalse)
    return kFalse;
  if (a == kTrue || a == b)
    return b;
  if (b == kTrue)
    return a;
  return makeCondition({Condition::Kind::And, {}, a, b});
}

ConditionId Numbers::either(ConditionId a, ConditionId b) {
  if (a == kTrue || b == kTrue)
    return kTrue;
  if (a == kFalse || a == b)
    return b;
  if (b == kFalse)
    return a;
  return makeCondition({Condition::Kind::Or, {}, a, b});
}

ConditionId Numbers::negate(ConditionId a) {
  if (a == kFalse || a == kTrue)
    return constant(a == kFalse);
  if (a == kUnknown)
    return a;
  if (conditions[a].kind == Condition::Kind::Not)
    return conditions[a].a;
  return makeCondition({Condition::Kind::Not, {}, a, 0});
}
