//===- NumberEmitter.cpp - numbers as values of a program -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/NumberEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Value NumberEmitter::makeConstant(int64_t value) { return emit(Number(value)); }

Value NumberEmitter::makeSafe(const Number &divisor, Value value) {
  Bounds bounds = numbers.naturalBoundsOf(divisor);
  if (bounds.lo > 0 || bounds.hi < 0)
    return value;
  Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       value, makeConstant(0));
  return arith::SelectOp::create(builder, loc, isZero, makeConstant(1), value);
}

bool NumberEmitter::canEmit(const Number &number) {
  return llvm::all_of(number.terms, [&](const Term &term) {
    return llvm::all_of(term.atoms, [&](AtomId id) {
      auto it = knownAtoms.find(id);
      if (it != knownAtoms.end())
        return it->second;
      bool can = canEmitAtom(id);
      knownAtoms[id] = can;
      return can;
    });
  });
}

bool NumberEmitter::canEmitAtom(AtomId id) {
  const Atom &atom = numbers.getAtom(id);
  switch (atom.kind) {
  case Atom::Kind::Unknown:
    return hasUnknown ? hasUnknown(id) : getUnknown && getUnknown(id);
  case Atom::Kind::Symbol: {
    if (hasSymbol(atom.symbol))
      return true;
    const Number *definition = numbers.getDefinition(atom.symbol);
    return definition && canEmit(*definition);
  }
  case Atom::Kind::Select:
    return canEmitCondition(atom.condition) && canEmit(atom.a) &&
           canEmit(atom.b);
  default:
    return canEmit(atom.a) && canEmit(atom.b);
  }
}

bool NumberEmitter::canEmitCondition(ConditionId id) {
  const Condition &condition = numbers.getCondition(id);
  using Kind = Condition::Kind;
  switch (condition.kind) {
  case Kind::Unknown:
    return false;
  case Kind::Zero:
  case Kind::NotNegative:
    return canEmit(condition.number);
  case Kind::And:
  case Kind::Or:
  case Kind::Not: {
    auto it = knownConditions.find(id);
    if (it != knownConditions.end())
      return it->second;
    bool can = canEmitCondition(condition.a) &&
               (condition.kind == Kind::Not || canEmitCondition(condition.b));
    knownConditions[id] = can;
    return can;
  }
  default:
    return true;
  }
}

Value NumberEmitter::emit(const Number &number) {
  auto it = sums.find(number);
  if (it != sums.end())
    return it->second;
  return sums[number] = emitTerms(number);
}

Value NumberEmitter::emitTerms(const Number &number) {
  Value sum;
  for (const Term &term : number.terms) {
    Value product;
    for (AtomId id : term.atoms) {
      Value atom = emitAtom(id);
      product = product
                    ? Value(arith::MulIOp::create(builder, loc, product, atom))
                    : atom;
    }
    if (term.factor != 1)
      product = arith::MulIOp::create(builder, loc, product,
                                      makeConstant(term.factor));
    sum = sum ? Value(arith::AddIOp::create(builder, loc, sum, product))
              : product;
  }
  if (!sum)
    return arith::ConstantIndexOp::create(builder, loc, number.constant);
  if (number.constant != 0)
    sum =
        arith::AddIOp::create(builder, loc, sum, makeConstant(number.constant));
  return sum;
}

/// Whether rounding down and rounding toward 0 are the same.
bool NumberEmitter::isPlain(const Atom &atom) const {
  return numbers.naturalBoundsOf(atom.a).lo >= 0 &&
         numbers.naturalBoundsOf(atom.b).lo >= 0;
}

/// Rounded down, in operations that need no expansion later.
Value NumberEmitter::emitQuotient(const Atom &atom, Value a, Value by) {
  // Of what is not above 0, as rounding up has it: -((by - 1 - a) / by).
  if (numbers.naturalBoundsOf(atom.a).hi <= 0 &&
      numbers.naturalBoundsOf(atom.b).lo >= 0) {
    Value least = arith::AddIOp::create(builder, loc, by, makeConstant(-1));
    Value above = arith::SubIOp::create(builder, loc, least, a);
    Value up = arith::DivSIOp::create(builder, loc, above, by);
    return arith::SubIOp::create(builder, loc, makeConstant(0), up);
  }
  Value quotient = arith::DivSIOp::create(builder, loc, a, by);
  if (isPlain(atom))
    return quotient;
  Value zero = makeConstant(0);
  auto compare = [&](arith::CmpIPredicate predicate, Value x) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, x, zero);
  };
  Value rest = arith::RemSIOp::create(builder, loc, a, by);
  Value isRounded = compare(arith::CmpIPredicate::ne, rest);
  Value signs = arith::XOrIOp::create(builder, loc, rest, by);
  Value differ = compare(arith::CmpIPredicate::slt, signs);
  Value isUp = arith::AndIOp::create(builder, loc, isRounded, differ);
  Value below = arith::AddIOp::create(builder, loc, quotient, makeConstant(-1));
  return arith::SelectOp::create(builder, loc, isUp, below, quotient);
}

Value NumberEmitter::emitAtom(AtomId id) {
  if (Value value = atoms.lookup(id))
    return value;
  Value value = makeAtom(id);
  atoms[id] = value;
  return value;
}

Value NumberEmitter::makeAtom(AtomId id) {
  const Atom &atom = numbers.getAtom(id);
  using Kind = Atom::Kind;
  Value result;
  if (atom.kind == Kind::Symbol)
    return hasSymbol(atom.symbol) ? getSymbol(atom.symbol)
                                  : emit(*numbers.getDefinition(atom.symbol));
  if (atom.kind == Kind::Unknown) {
    Value value = getUnknown(id);
    if (value.getType().isIndex())
      return value;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  Value a = emit(atom.a), b = emit(atom.b);
  switch (atom.kind) {
  case Kind::Sum:
    result = arith::AddIOp::create(builder, loc, a, b);
    break;
  case Kind::Product:
    result = arith::MulIOp::create(builder, loc, a, b);
    break;
  case Kind::Quotient:
    result = emitQuotient(atom, a, makeSafe(atom.b, b));
    break;
  case Kind::Remainder: {
    Value by = makeSafe(atom.b, b);
    if (isPlain(atom)) {
      result = arith::RemSIOp::create(builder, loc, a, by);
      break;
    }
    // With the divisor's sign: a - b * floor(a / b).
    Value whole =
        arith::MulIOp::create(builder, loc, emitQuotient(atom, a, by), by);
    result = arith::SubIOp::create(builder, loc, a, whole);
    break;
  }
  case Kind::TruncatedQuotient:
    result = arith::DivSIOp::create(builder, loc, a, makeSafe(atom.b, b));
    break;
  case Kind::TruncatedRemainder:
    result = arith::RemSIOp::create(builder, loc, a, makeSafe(atom.b, b));
    break;
  case Kind::Minimum:
    result = arith::MinSIOp::create(builder, loc, a, b);
    break;
  case Kind::Maximum:
    result = arith::MaxSIOp::create(builder, loc, a, b);
    break;
  case Kind::BitAnd:
    result = arith::AndIOp::create(builder, loc, a, b);
    break;
  default: {
    Value condition = emitCondition(atom.condition);
    result = arith::SelectOp::create(builder, loc, condition, a, b);
    break;
  }
  }
  return result;
}

Value NumberEmitter::emitCondition(ConditionId id) {
  if (Value value = conditions.lookup(id))
    return value;
  Value value = makeCondition(id);
  conditions[id] = value;
  return value;
}

Value NumberEmitter::makeCondition(ConditionId id) {
  const Condition &condition = numbers.getCondition(id);
  using Kind = Condition::Kind;
  auto constant = [&](bool value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 1);
  };
  switch (condition.kind) {
  case Kind::Unknown:
  case Kind::False:
    return constant(false);
  case Kind::True:
    return constant(true);
  case Kind::Zero:
  case Kind::NotNegative: {
    auto [plus, minus] = splitSigns(condition.number);
    auto predicate = condition.kind == Kind::Zero ? arith::CmpIPredicate::eq
                                                  : arith::CmpIPredicate::sge;
    Value lhs = emit(plus), rhs = emit(minus);
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  case Kind::And:
  case Kind::Or: {
    Value a = emitCondition(condition.a), b = emitCondition(condition.b);
    if (condition.kind == Kind::And)
      return arith::AndIOp::create(builder, loc, a, b);
    return arith::OrIOp::create(builder, loc, a, b);
  }
  case Kind::Not: {
    Value a = emitCondition(condition.a);
    return arith::XOrIOp::create(builder, loc, a, constant(true));
  }
  }
  llvm_unreachable("all kinds are above");
}
