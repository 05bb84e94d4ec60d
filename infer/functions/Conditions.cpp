//===- Conditions.cpp - statements about numbers --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Numbers.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;
using namespace broadloom::infer;

/// The atom that a term consists of, with factor 1 or -1.
static std::optional<AtomId> getSingleAtom(const Term &term) {
  if (term.atoms.size() == 1 && (term.factor == 1 || term.factor == -1))
    return term.atoms.front();
  return std::nullopt;
}

Truth Numbers::truthOfZero(const Number &number) const {
  if (number.isConstant())
    return number.constant == 0 ? Truth::Proved : Truth::Refuted;
  Bounds bounds = boundsOf(number);
  if (bounds.lo > 0 || bounds.hi < 0)
    return Truth::Refuted;
  if (bounds.lo == 0 && bounds.hi == 0)
    return Truth::Proved;
  // 2*n + 1 is never 0.
  int64_t divisor = 0;
  for (const Term &term : number.terms)
    divisor = std::gcd(divisor, term.factor);
  if (divisor != 0 && number.constant % divisor != 0)
    return Truth::Refuted;
  // What the table of symbols knows: n is 1, n is m.
  auto symbolOf = [&](const Term &term) {
    std::optional<AtomId> atom = getSingleAtom(term);
    return atom && atoms[*atom].kind == Atom::Kind::Symbol
               ? Extent::symbol(atoms[*atom].symbol)
               : Extent();
  };
  Extent first = symbolOf(number.terms[0]);
  if (number.terms.size() == 1 && first.isSymbol()) {
    int64_t value = -number.constant * number.terms[0].factor;
    return value < 0 ? Truth::Refuted
                     : prover.equal(first, Extent::fixed(value)).truth();
  }
  if (number.terms.size() == 2 && number.constant == 0 && first.isSymbol() &&
      number.terms[0].factor == -number.terms[1].factor)
    if (Extent second = symbolOf(number.terms[1]); second.isSymbol())
      return prover.equal(first, second).truth();
  return Truth::Unknown;
}

ConditionId Numbers::makeCondition(Condition condition) {
  if (condition.truth == Truth::Proved)
    return kTrue;
  if (condition.truth == Truth::Refuted)
    return kFalse;
  conditions.push_back(std::move(condition));
  return conditions.size() - 1;
}

ConditionId Numbers::equal(const Number &a, const Number &b) {
  Number difference = subtract(a, b);
  Truth truth = truthOfZero(difference);
  return makeCondition(
      {Condition::Kind::Zero, std::move(difference), 0, 0, truth});
}

ConditionId Numbers::atMost(const Number &a, const Number &b) {
  Number difference = subtract(b, a);
  Bounds bounds = boundsOf(difference);
  Truth truth = bounds.lo >= 0  ? Truth::Proved
                : bounds.hi < 0 ? Truth::Refuted
                                : Truth::Unknown;
  return makeCondition(
      {Condition::Kind::NotNegative, std::move(difference), 0, 0, truth});
}

ConditionId Numbers::lessThan(const Number &a, const Number &b) {
  return atMost(add(a, Number(1)), b);
}

ConditionId Numbers::both(ConditionId a, ConditionId b) {
  if (a == kFalse || b == kFalse)
    return kFalse;
  if (a == kTrue || a == b)
    return b;
  if (b == kTrue)
    return a;
  return makeCondition({Condition::Kind::And, {}, a, b, Truth::Unknown});
}

ConditionId Numbers::either(ConditionId a, ConditionId b) {
  if (a == kTrue || b == kTrue)
    return kTrue;
  if (a == kFalse || a == b)
    return b;
  if (b == kFalse)
    return a;
  return makeCondition({Condition::Kind::Or, {}, a, b, Truth::Unknown});
}

ConditionId Numbers::negate(ConditionId a) {
  if (a == kFalse || a == kTrue)
    return constant(a == kFalse);
  if (a == kUnknown)
    return a;
  if (conditions[a].kind == Condition::Kind::Not)
    return conditions[a].a;
  return makeCondition({Condition::Kind::Not, {}, a, 0, Truth::Unknown});
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

bool Numbers::isNotNegative(const Number &number,
                            const std::vector<Number> &facts,
                            unsigned depth) const {
  if (boundsOf(number).lo >= 0)
    return true;
  // Something that is not negative, or more than that.
  for (const Number &fact : facts)
    if (fact.constant <= number.constant && fact.terms == number.terms)
      return true;
  if (number.constant < 0 || depth == 0)
    return false;
  auto isGood = [&](AtomId id) {
    const Atom &atom = atoms[id];
    switch (atom.kind) {
    case Atom::Kind::Sum:
    case Atom::Kind::Product:
    case Atom::Kind::Quotient:
    case Atom::Kind::TruncatedQuotient:
    case Atom::Kind::Minimum:
    case Atom::Kind::Select:
      return isNotNegative(atom.a, facts, depth - 1) &&
             isNotNegative(atom.b, facts, depth - 1);
    case Atom::Kind::Maximum:
      return isNotNegative(atom.a, facts, depth - 1) ||
             isNotNegative(atom.b, facts, depth - 1);
    case Atom::Kind::TruncatedRemainder:
      return isNotNegative(atom.a, facts, depth - 1);
    default:
      return boundsOf(single(id)).lo >= 0;
    }
  };
  return std::all_of(
      number.terms.begin(), number.terms.end(), [&](const Term &term) {
        return term.factor > 0 &&
               std::all_of(term.atoms.begin(), term.atoms.end(), isGood);
      });
}

static Number negated(const Number &number, int64_t minus) {
  Number result(-number.constant - minus);
  for (const Term &term : number.terms)
    result.terms.push_back({term.atoms, -term.factor});
  return result;
}

Truth Numbers::truthUnder(ConditionId id,
                          const std::vector<Number> &facts) const {
  const Condition &condition = conditions[id];
  if (condition.truth != Truth::Unknown || facts.empty())
    return condition.truth;
  const Number &number = condition.number;
  switch (condition.kind) {
  case Condition::Kind::NotNegative:
    if (isNotNegative(number, facts))
      return Truth::Proved;
    return isNotNegative(negated(number, 1), facts) ? Truth::Refuted
                                                    : Truth::Unknown;
  case Condition::Kind::Zero: {
    Number minusOne = number;
    --minusOne.constant;
    if (isNotNegative(number, facts) &&
        isNotNegative(negated(number, 0), facts))
      return Truth::Proved;
    return isNotNegative(minusOne, facts) ||
                   isNotNegative(negated(number, 1), facts)
               ? Truth::Refuted
               : Truth::Unknown;
  }
  case Condition::Kind::And:
  case Condition::Kind::Or: {
    Truth a = truthUnder(condition.a, facts);
    Truth b = truthUnder(condition.b, facts);
    Truth decides =
        condition.kind == Condition::Kind::And ? Truth::Refuted : Truth::Proved;
    if (a == decides || b == decides)
      return decides;
    return a == b ? a : Truth::Unknown;
  }
  case Condition::Kind::Not: {
    Truth truth = truthUnder(condition.a, facts);
    return truth == Truth::Proved    ? Truth::Refuted
           : truth == Truth::Refuted ? Truth::Proved
                                     : Truth::Unknown;
  }
  default:
    return condition.truth;
  }
}

void Numbers::addFacts(ConditionId id, std::vector<Number> &facts) {
  const Condition &condition = conditions[id];
  switch (condition.kind) {
  case Condition::Kind::NotNegative:
    facts.push_back(condition.number);
    break;
  case Condition::Kind::Zero:
    facts.push_back(condition.number);
    facts.push_back(negated(condition.number, 0));
    break;
  case Condition::Kind::And:
    addFacts(condition.a, facts);
    addFacts(condition.b, facts);
    break;
  case Condition::Kind::Not: {
    const Condition &inner = conditions[condition.a];
    if (inner.kind == Condition::Kind::NotNegative)
      facts.push_back(negated(inner.number, 1));
    // Not 0, but never below: at least 1.
    else if (inner.kind == Condition::Kind::Zero &&
             boundsOf(inner.number).lo >= 0) {
      facts.push_back(inner.number);
      --facts.back().constant;
    }
    break;
  }
  default:
    break;
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Numbers::toString(const Number &number) const {
  if (number.isConstant())
    return std::to_string(number.constant);
  std::string text;
  for (const Term &term : number.terms) {
    std::string product;
    for (AtomId id : term.atoms) {
      const Atom &atom = atoms[id];
      if (!product.empty())
        product += '*';
      switch (atom.kind) {
      case Atom::Kind::Symbol:
        product += symbols.name(atom.symbol);
        break;
      case Atom::Kind::Quotient:
        product += "((" + toString(atom.a) + ") / " + toString(atom.b) + ")";
        break;
      default:
        return "?";
      }
    }
    if (term.factor == -1 || term.factor == 1)
      text += term.factor < 0 ? (text.empty() ? "-" : " - ")
                              : (text.empty() ? "" : " + ");
    else if (term.factor < 0)
      text += (text.empty() ? "-" : " - ") + std::to_string(-term.factor) + "*";
    else
      text += (text.empty() ? "" : " + ") + std::to_string(term.factor) + "*";
    text += product;
  }
  if (number.constant)
    text += number.constant < 0 ? " - " + std::to_string(-number.constant)
                                : " + " + std::to_string(number.constant);
  return text;
}
