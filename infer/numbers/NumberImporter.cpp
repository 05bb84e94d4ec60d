//===- NumberImporter.cpp - numbers of one table in another ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberImporter.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"

using namespace broadloom;
using namespace broadloom::infer;

static constexpr unsigned kMaxNesting = 128;

std::optional<Number> NumberImporter::get(const Number &number) {
  std::optional<Number> sum(number.constant);
  for (const Term &term : number.terms) {
    std::optional<Number> product(term.factor);
    for (AtomId id : term.atoms) {
      std::optional<Number> atom = getAtom(id);
      if (!atom)
        return std::nullopt;
      product = multiply(to, product, atom);
    }
    sum = add(to, sum, product);
  }
  return sum;
}

/// The word that is congruent to a number.
std::optional<Number> NumberImporter::getWord(const Number &number) {
  Number sum = to.word(number.constant);
  for (const Term &term : number.terms) {
    Number product = to.word(term.factor);
    for (AtomId id : term.atoms) {
      std::optional<Number> atom = getAtom(id);
      if (!atom)
        return std::nullopt;
      product = multiplyWords(to, product, *atom);
    }
    sum = addWords(to, sum, product);
  }
  return sum;
}

std::optional<Number> NumberImporter::getAtom(AtomId id) {
  if (auto it = atoms.find(id); it != atoms.end())
    return it->second;
  if (budget == 0 || depth == kMaxNesting)
    return std::nullopt;
  --budget;
  ++depth;
  std::optional<Number> number = makeAtom(from.getAtom(id));
  --depth;
  atoms[id] = number;
  return number;
}

std::optional<Number> NumberImporter::makeAtom(const Atom &atom) {
  using Kind = Atom::Kind;
  if (atom.kind == Kind::Unknown)
    return std::nullopt;
  if (atom.kind == Kind::End)
    return to.word(atom.a.constant);
  if (atom.kind == Kind::Word)
    return getWord(atom.a);
  if (atom.kind == Kind::Symbol) {
    if (std::optional<Number> number = translate(atom.symbol))
      return number;
    const Number *definition = getDefinition(from, atom.symbol);
    return definition ? get(*definition) : std::nullopt;
  }
  std::optional<Number> a = get(atom.a), b = get(atom.b);
  if (!a || !b)
    return std::nullopt;
  switch (atom.kind) {
  case Kind::Sum:
    return add(to, *a, *b);
  case Kind::Product:
    return multiply(to, *a, *b);
  case Kind::Quotient:
    return b->isConstant(0) ? std::nullopt : std::optional(divide(to, *a, *b));
  case Kind::Remainder:
    return b->isConstant(0) ? std::nullopt
                            : std::optional(remainder(to, *a, *b));
  case Kind::TruncatedQuotient:
    return b->isConstant(0) ? std::nullopt
                            : std::optional(truncatedDivide(to, *a, *b));
  case Kind::TruncatedRemainder:
    return b->isConstant(0) ? std::nullopt
                            : std::optional(truncatedRemainder(to, *a, *b));
  case Kind::Minimum:
    return minimum(to, *a, *b);
  case Kind::Maximum:
    return maximum(to, *a, *b);
  case Kind::Select: {
    std::optional<ConditionId> condition = getCondition(atom.condition);
    return condition ? std::optional(select(to, *condition, *a, *b))
                     : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<ConditionId> NumberImporter::getCondition(ConditionId id) {
  const Condition &condition = from.getCondition(id);
  using Kind = Condition::Kind;
  if (condition.kind == Kind::False || condition.kind == Kind::True)
    return id;
  if (condition.kind == Kind::Unknown || budget == 0 || depth == kMaxNesting)
    return std::nullopt;
  --budget;
  if (condition.kind == Kind::Zero || condition.kind == Kind::NotNegative) {
    std::optional<Number> number = get(condition.number);
    if (!number)
      return std::nullopt;
    return condition.kind == Kind::Zero ? equal(to, *number, Number(0))
                                        : atMost(to, Number(0), *number);
  }
  ++depth;
  std::optional<ConditionId> a = getCondition(condition.a);
  std::optional<ConditionId> b =
      condition.kind == Kind::Not ? a : getCondition(condition.b);
  --depth;
  if (!a || !b)
    return std::nullopt;
  return condition.kind == Kind::Not   ? to.negate(*a)
         : condition.kind == Kind::And ? to.both(*a, *b)
                                       : to.either(*a, *b);
}
