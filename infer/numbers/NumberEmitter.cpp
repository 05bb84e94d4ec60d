//===- NumberEmitter.cpp - numbers as values of a program -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberEmitter.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cstdlib>
#include <limits>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Value NumberEmitter::makeConstant(int64_t value) { return emit(Number(value)); }

/// A divisor that cannot trap: 1 in place of one that no guard has checked yet.
Value NumberEmitter::makeSafe(const Atom &atom, Value a, Value by) {
  using Predicate = arith::CmpIPredicate;
  auto isEqual = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(builder, loc, Predicate::eq, x, y);
  };
  Bounds bounds = numbers.naturalBoundsOf(atom.b);
  if (bounds.lo > 0)
    return by;
  Value one = makeConstant(1);
  if (bounds.hi >= 0)
    by = arith::SelectOp::create(builder, loc, isEqual(by, makeConstant(0)),
                                 one, by);
  // The least word divided by -1 does not fit a word.
  if (bounds.hi < -1 || numbers.naturalBoundsOf(atom.a).lo > -Bounds::kNone)
    return by;
  Value least = arith::ConstantIndexOp::create(
      builder, loc, std::numeric_limits<int64_t>::min());
  Value traps = arith::AndIOp::create(builder, loc, isEqual(a, least),
                                      isEqual(by, makeConstant(-1)));
  return arith::SelectOp::create(builder, loc, traps, one, by);
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
    const Number *definition = getDefinition(numbers, atom.symbol);
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
  return sums[number] = emitTerms(number, /*wraps=*/false);
}

Value NumberEmitter::emitShown(const Number &number) {
  return CheckedArithmetic(builder, loc)
      .saturate({emit(number), getFits(number)});
}

/// `wraps`: emits the program's own arithmetic, which has no flag `nsw` in
/// constraints.
Value NumberEmitter::emitTerms(const Number &number, bool wraps) {
  using Flags = arith::IntegerOverflowFlags;
  Flags flags = notation == Notation::ShapeConstraint && !wraps ? Flags::nsw
                                                                : Flags::none;
  auto multiply = [&](Value a, Value b) -> Value {
    return arith::MulIOp::create(builder, loc, a, b, flags);
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddIOp::create(builder, loc, a, b, flags);
  };
  Value sum;
  for (const Term &term : number.terms) {
    Value product;
    for (AtomId id : term.atoms) {
      Value atom = emitAtom(id);
      product = product ? multiply(product, atom) : atom;
    }
    if (term.factor != 1)
      product = multiply(product, makeConstant(term.factor));
    sum = sum ? add(sum, product) : product;
  }
  if (!sum)
    return arith::ConstantIndexOp::create(builder, loc, number.constant);
  if (number.constant != 0)
    sum = add(sum, makeConstant(number.constant));
  return sum;
}

/// Whether rounding down and rounding toward 0 are the same.
bool NumberEmitter::isPlain(const Atom &atom) const {
  return numbers.naturalBoundsOf(atom.a).lo >= 0 &&
         numbers.naturalBoundsOf(atom.b).lo >= 0;
}

/// A quotient that is rounded down, in operations that need no later expansion.
Value NumberEmitter::emitQuotient(const Atom &atom, Value a, Value by) {
  // The analysis reads this operation as one number.
  if (notation == Notation::ShapeConstraint && !isPlain(atom))
    return arith::FloorDivSIOp::create(builder, loc, a, by);
  // For a dividend that is at most 0: -((by - 1 - a) / by), if that fits.
  WideBounds dividend = wideBoundsOf(numbers, atom.a),
             divisor = wideBoundsOf(numbers, atom.b);
  if (dividend.hi <= 0 && divisor.lo >= 0 &&
      divisor.hi - 1 - dividend.lo <= WideBounds::ofWord().hi) {
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
                                  : emit(*getDefinition(numbers, atom.symbol));
  if (atom.kind == Kind::Unknown) {
    Value value = getUnknown(id);
    if (value.getType().isIndex())
      return value;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  if (atom.kind == Kind::End)
    return arith::ConstantIndexOp::create(builder, loc, atom.a.constant);
  if (atom.kind == Kind::Word)
    return emitTerms(atom.a, /*wraps=*/true);
  Value a = emit(atom.a), b = emit(atom.b);
  using Flags = arith::IntegerOverflowFlags;
  Flags flags =
      notation == Notation::ShapeConstraint ? Flags::nsw : Flags::none;
  switch (atom.kind) {
  case Kind::Sum:
    result = arith::AddIOp::create(builder, loc, a, b, flags);
    break;
  case Kind::Product:
    result = arith::MulIOp::create(builder, loc, a, b, flags);
    break;
  case Kind::Quotient:
    result = emitQuotient(atom, a, makeSafe(atom, a, b));
    break;
  case Kind::Remainder: {
    Value by = makeSafe(atom, a, b);
    if (isPlain(atom)) {
      result = arith::RemSIOp::create(builder, loc, a, by);
      break;
    }
    // The remainder with the divisor's sign: a - b * floor(a / b).
    Value whole = arith::MulIOp::create(builder, loc, emitQuotient(atom, a, by),
                                        by, flags);
    result = arith::SubIOp::create(builder, loc, a, whole, flags);
    break;
  }
  case Kind::TruncatedQuotient:
    result = arith::DivSIOp::create(builder, loc, a, makeSafe(atom, a, b));
    break;
  case Kind::TruncatedRemainder:
    result = arith::RemSIOp::create(builder, loc, a, makeSafe(atom, a, b));
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

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Value NumberEmitter::emitCondition(ConditionId id) {
  return getVerdict(id).holds;
}

Verdict NumberEmitter::getVerdict(ConditionId id) {
  if (Verdict verdict = conditions.lookup(id); verdict.holds)
    return verdict;
  Verdict verdict = makeVerdict(id);
  conditions[id] = verdict;
  return verdict;
}

/// If `side` is an unevaluated sum of a constant and another number, moves the
/// constant to the other side, which is 0.
static void moveConstant(const Numbers &numbers, Number &side, Number &other) {
  if (!other.isConstant(0) || side.constant != 0 || side.terms.size() != 1 ||
      side.terms[0].factor != 1 || side.terms[0].atoms.size() != 1)
    return;
  const Atom &atom = numbers.getAtom(side.terms[0].atoms[0]);
  if (atom.kind != Atom::Kind::Sum)
    return;
  Number rest = atom.a, constant = atom.b;
  if (rest.isConstant())
    std::swap(rest, constant);
  if (!constant.isConstant() ||
      constant.constant == std::numeric_limits<int64_t>::min())
    return;
  side = rest;
  other = Number(-constant.constant);
}

/// Compares two sides of which one is a constant plus terms that may not fit a
/// word together: compares the constant with the difference of the terms. If
/// the terms are not negative words, the difference is a word. It may not be
/// one for other terms, and these are compared so only if the constant exceeds
/// half the range of words. Nothing for other sides.
std::optional<Verdict>
NumberEmitter::compareTerms(CheckedArithmetic &checked,
                            arith::CmpIPredicate predicate, Number plus,
                            Number minus) {
  if ((plus.constant != 0) == (minus.constant != 0) || plus.isConstant() ||
      minus.isConstant() || isWord(numbers, plus.constant != 0 ? plus : minus))
    return std::nullopt;
  bool isPlus = plus.constant != 0;
  Number constant(std::exchange((isPlus ? plus : minus).constant, 0));
  constexpr int64_t kNoRoom = std::numeric_limits<int64_t>::max() / 2;
  bool areNatural = wideBoundsOf(numbers, plus).lo >= 0 &&
                    wideBoundsOf(numbers, minus).lo >= 0;
  if (!areNatural && std::abs(constant.constant) < kNoRoom)
    return std::nullopt;
  Checked terms = checked.subtract(emitRead(isPlus ? minus : plus),
                                   emitRead(isPlus ? plus : minus),
                                   /*isWord=*/areNatural);
  Checked word{emit(constant), nullptr};
  return isPlus ? checked.compare(predicate, word, terms)
                : checked.compare(predicate, terms, word);
}

/// `number` is 0, or not negative.
Verdict NumberEmitter::compare(const Condition &condition) {
  using Predicate = arith::CmpIPredicate;
  bool isZero = condition.kind == Condition::Kind::Zero;
  Predicate predicate = isZero ? Predicate::eq : Predicate::sge;
  auto [plus, minus] = splitSigns(condition.number);
  // Compares a > b rather than a >= b + 1, because b + 1 may not fit a word.
  if (!isZero && minus.constant == 1 && !minus.isConstant()) {
    minus.constant = 0;
    predicate = Predicate::sgt;
  }
  // Compares a >= b - 1 rather than a + 1 >= b, where b is not negative: what
  // is known of a where the condition is of use may not hold where it is
  // computed.
  if (!isZero && plus.constant > 0 && !plus.isConstant() &&
      minus.constant == 0 && !minus.isConstant() &&
      wideBoundsOf(numbers, minus).lo >= 0)
    minus.constant = -std::exchange(plus.constant, 0);
  moveConstant(numbers, plus, minus);
  moveConstant(numbers, minus, plus);
  // The sum of a constant and terms may not fit a word. The constant alone, on
  // the other side, does.
  if (minus.isConstant(0) && !plus.isConstant())
    minus.constant = -std::exchange(plus.constant, 0);
  else if (plus.isConstant(0) && !minus.isConstant())
    plus.constant = -std::exchange(minus.constant, 0);
  CheckedArithmetic checked(builder, loc);
  if (notation == Notation::ShapeConstraint)
    return checked.exactly(arith::CmpIOp::create(builder, loc, predicate,
                                                 emit(plus), emit(minus)));
  // If only the difference is a word, compares that with 0.
  if ((!isWord(numbers, plus) || !isWord(numbers, minus)) &&
      isWord(numbers, condition.number)) {
    plus = condition.number;
    minus = Number();
    predicate = isZero ? Predicate::eq : Predicate::sge;
  }
  if (std::optional<Verdict> verdict =
          compareTerms(checked, predicate, plus, minus))
    return *verdict;
  return checked.compare(predicate, emitRead(plus), emitRead(minus));
}

Verdict NumberEmitter::makeVerdict(ConditionId id) {
  const Condition &condition = numbers.getCondition(id);
  using Kind = Condition::Kind;
  CheckedArithmetic checked(builder, loc);
  switch (condition.kind) {
  case Kind::Unknown:
  case Kind::False:
  case Kind::True:
    return checked.exactly(arith::ConstantIntOp::create(
        builder, loc, condition.kind == Kind::True, 1));
  case Kind::Zero:
  case Kind::NotNegative:
    return compare(condition);
  case Kind::And:
  case Kind::Or: {
    Verdict a = getVerdict(condition.a), b = getVerdict(condition.b);
    return condition.kind == Kind::And ? checked.both(a, b)
                                       : checked.either(a, b);
  }
  case Kind::Not:
    return checked.isNot(getVerdict(condition.a));
  }
  llvm_unreachable("all kinds are above");
}
