//===- ArithHandlers.cpp - arith and index in shape functions -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of shape functions are mathematical: where constants give what does
// not fit 63 bits, that is an error, and never do they wrap. To unsigned
// comparisons a negative number is greater than all others, as its bits are;
// unsigned division requires that it meets none, since no extent is what it
// would give.
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Handlers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

enum class Binary {
  Add,
  Sub,
  Mul,
  Div,
  CeilDiv,
  FloorDiv,
  Rem,
  Max,
  Min,
  Shl,
  Shr,
  And,
  Or,
  Xor
};

/// The divisor must not be 0: proved, or required from here on.
Step requireDivisor(Evaluator &evaluator, Operation *op, const Number &by) {
  Numbers &numbers = evaluator.numbers;
  ConditionId good = numbers.negate(numbers.equal(by, Number(0)));
  if (good == Numbers::kTrue)
    return Step::Go;
  if (good == Numbers::kFalse)
    return evaluator.fail(op, "its shape cannot be computed: division by 0");
  return evaluator.constrain(
      op, good, "its shape cannot be computed: division by {0}", {by});
}

/// Unsigned division takes no negative number: proved, or required from here
/// on.
Step requireNotNegative(Evaluator &evaluator, Operation *op, const Number &n) {
  if (evaluator.isNotNegative(n))
    return Step::Go;
  return evaluator.constrain(op, evaluator.numbers.atMost(Number(0), n),
                             "its shape cannot be computed: unsigned division "
                             "with a negative number, {0}",
                             {n});
}

/// a < b, unsigned.
ConditionId lessThanUnsigned(Evaluator &evaluator, const Number &a,
                             const Number &b) {
  Numbers &numbers = evaluator.numbers;
  auto isNotNegative = [&](const Number &n) {
    return evaluator.isNotNegative(n) ? Numbers::kTrue
                                      : numbers.atMost(Number(0), n);
  };
  ConditionId x = isNotNegative(a), y = isNotNegative(b);
  ConditionId same = numbers.either(
      numbers.both(x, y), numbers.both(numbers.negate(x), numbers.negate(y)));
  return numbers.either(numbers.both(x, numbers.negate(y)),
                        numbers.both(same, numbers.lessThan(a, b)));
}

/// Of two constants; nothing else has bits to look at.
Number onBits(Numbers &numbers, Binary kind, const Number &a, const Number &b) {
  bool areConstant = a.isConstant() && b.isConstant();
  int64_t x = a.constant, y = b.constant;
  switch (kind) {
  case Binary::And:
    return numbers.bitAnd(a, b);
  case Binary::Or:
    return areConstant ? Number(x | y) : numbers.unknown();
  case Binary::Xor:
    return areConstant ? Number(x ^ y) : numbers.unknown();
  case Binary::Shl:
    if (b.isConstant() && y >= 0 && y < 62)
      return numbers.multiply(a, Number(int64_t(1) << y));
    return numbers.unknown();
  default:
    if (b.isConstant() && y >= 0 && y < 62)
      return numbers.divide(a, Number(int64_t(1) << y));
    return numbers.unknown();
  }
}

template <Binary kind, bool isUnsigned = false, typename OpT>
Step handleBinary(Evaluator &evaluator, OpT op) {
  Numbers &numbers = evaluator.numbers;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (lhs.getType().isInteger(1)) {
    ConditionId a = evaluator.getCondition(lhs);
    ConditionId b = evaluator.getCondition(rhs);
    switch (kind) {
    case Binary::And:
      return evaluator.setCondition(op, numbers.both(a, b));
    case Binary::Or:
      return evaluator.setCondition(op, numbers.either(a, b));
    case Binary::Xor:
      return evaluator.setCondition(
          op, numbers.either(numbers.both(a, numbers.negate(b)),
                             numbers.both(numbers.negate(a), b)));
    default:
      return evaluator.setCondition(op, Numbers::kUnknown);
    }
  }
  Number a = evaluator.getNumber(lhs), b = evaluator.getNumber(rhs);
  bool areNotNegative =
      evaluator.isNotNegative(a) && evaluator.isNotNegative(b);
  if (kind == Binary::Div || kind == Binary::CeilDiv ||
      kind == Binary::FloorDiv || kind == Binary::Rem) {
    if (isUnsigned && (requireNotNegative(evaluator, op, a) == Step::Stop ||
                       requireNotNegative(evaluator, op, b) == Step::Stop))
      return Step::Stop;
    areNotNegative |= isUnsigned;
    if (requireDivisor(evaluator, op, b) == Step::Stop)
      return Step::Stop;
  } else if (isUnsigned && !areNotNegative && kind == Binary::Shr) {
    return evaluator.setNumber(op, numbers.unknown());
  } else if (isUnsigned && !areNotNegative) {
    ConditionId isLess = lessThanUnsigned(evaluator, a, b);
    return evaluator.setNumber(op, kind == Binary::Min
                                       ? numbers.select(isLess, a, b)
                                       : numbers.select(isLess, b, a));
  }
  Number minusOne(-1);
  switch (kind) {
  case Binary::Add:
    return evaluator.setNumber(op, numbers.add(a, b));
  case Binary::Sub:
    return evaluator.setNumber(op, numbers.subtract(a, b));
  case Binary::Mul:
    return evaluator.setNumber(op, numbers.multiply(a, b));
  case Binary::Div:
    return evaluator.setNumber(op, areNotNegative
                                       ? numbers.divide(a, b)
                                       : numbers.truncatedDivide(a, b));
  case Binary::FloorDiv:
    return evaluator.setNumber(op, numbers.divide(a, b));
  case Binary::CeilDiv:
    return evaluator.setNumber(
        op, numbers.multiply(numbers.divide(numbers.multiply(a, minusOne), b),
                             minusOne));
  case Binary::Rem:
    return evaluator.setNumber(op, areNotNegative
                                       ? numbers.remainder(a, b)
                                       : numbers.truncatedRemainder(a, b));
  case Binary::Max:
    return evaluator.setNumber(op, numbers.maximum(a, b));
  case Binary::Min:
    return evaluator.setNumber(op, numbers.minimum(a, b));
  default:
    return evaluator.setNumber(op, onBits(numbers, kind, a, b));
  }
}

enum class Comparison { Eq, Ne, Lt, Le, Gt, Ge };

ConditionId compare(Numbers &numbers, Comparison comparison, const Number &a,
                    const Number &b) {
  switch (comparison) {
  case Comparison::Eq:
    return numbers.equal(a, b);
  case Comparison::Ne:
    return numbers.negate(numbers.equal(a, b));
  case Comparison::Lt:
    return numbers.lessThan(a, b);
  case Comparison::Le:
    return numbers.atMost(a, b);
  case Comparison::Gt:
    return numbers.lessThan(b, a);
  case Comparison::Ge:
    return numbers.atMost(b, a);
  }
  return Numbers::kUnknown;
}

ConditionId compareUnsigned(Evaluator &evaluator, Comparison comparison,
                            const Number &a, const Number &b) {
  Numbers &numbers = evaluator.numbers;
  switch (comparison) {
  case Comparison::Lt:
    return lessThanUnsigned(evaluator, a, b);
  case Comparison::Le:
    return numbers.negate(lessThanUnsigned(evaluator, b, a));
  case Comparison::Gt:
    return lessThanUnsigned(evaluator, b, a);
  case Comparison::Ge:
    return numbers.negate(lessThanUnsigned(evaluator, a, b));
  default:
    return compare(numbers, comparison, a, b);
  }
}

Step setComparison(Evaluator &evaluator, Operation *op, Comparison comparison,
                   bool isUnsigned) {
  Numbers &numbers = evaluator.numbers;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (lhs.getType().isInteger(1)) {
    ConditionId a = evaluator.getCondition(lhs);
    ConditionId b = evaluator.getCondition(rhs);
    ConditionId same = numbers.either(
        numbers.both(a, b), numbers.both(numbers.negate(a), numbers.negate(b)));
    if (comparison != Comparison::Eq && comparison != Comparison::Ne)
      return evaluator.setCondition(op, Numbers::kUnknown);
    return evaluator.setCondition(
        op, comparison == Comparison::Eq ? same : numbers.negate(same));
  }
  Number a = evaluator.getNumber(lhs), b = evaluator.getNumber(rhs);
  if (isUnsigned &&
      (!evaluator.isNotNegative(a) || !evaluator.isNotNegative(b)))
    return evaluator.setCondition(op,
                                  compareUnsigned(evaluator, comparison, a, b));
  return evaluator.setCondition(op, compare(numbers, comparison, a, b));
}

/// A predicate, and whether it is about unsigned numbers.
std::pair<Comparison, bool> getComparison(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return {Comparison::Eq, false};
  case Predicate::ne:
    return {Comparison::Ne, false};
  case Predicate::slt:
    return {Comparison::Lt, false};
  case Predicate::sle:
    return {Comparison::Le, false};
  case Predicate::sgt:
    return {Comparison::Gt, false};
  case Predicate::sge:
    return {Comparison::Ge, false};
  case Predicate::ult:
    return {Comparison::Lt, true};
  case Predicate::ule:
    return {Comparison::Le, true};
  case Predicate::ugt:
    return {Comparison::Gt, true};
  case Predicate::uge:
    return {Comparison::Ge, true};
  }
  llvm_unreachable("all predicates are above");
}

Step handleArithCompare(Evaluator &evaluator, arith::CmpIOp op) {
  auto [comparison, isUnsigned] = getComparison(op.getPredicate());
  return setComparison(evaluator, op, comparison, isUnsigned);
}

Step handleIndexCompare(Evaluator &evaluator, index::CmpOp op) {
  // Both dialects have their predicates in the same words.
  std::optional<arith::CmpIPredicate> predicate = arith::symbolizeCmpIPredicate(
      index::stringifyIndexCmpPredicate(op.getPred()));
  if (!predicate)
    return evaluator.setCondition(op, Numbers::kUnknown);
  auto [comparison, isUnsigned] = getComparison(*predicate);
  return setComparison(evaluator, op, comparison, isUnsigned);
}

Step setConstant(Evaluator &evaluator, Operation *op, const APInt &value) {
  std::optional<int64_t> number = value.trySExtValue();
  if (!number)
    return evaluator.giveUp(op->getLoc(), "the constant does not fit 64 bits");
  return evaluator.setNumber(op, evaluator.numbers.word(*number));
}

Step handleArithConstant(Evaluator &evaluator, arith::ConstantOp op) {
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
    if (op.getType().isInteger(1))
      return evaluator.setCondition(
          op, evaluator.numbers.constant(!integer.getValue().isZero()));
    return setConstant(evaluator, op, integer.getValue());
  }
  std::optional<ShapeDatum> list = evaluator.readIntegers(op.getValue());
  return evaluator.setShape(op.getResult(),
                            list ? *list : ShapeDatum::unranked());
}

Step handleIndexConstant(Evaluator &evaluator, index::ConstantOp op) {
  return setConstant(evaluator, op, op.getValue());
}

Step handleBoolConstant(Evaluator &evaluator, index::BoolConstantOp op) {
  return evaluator.setCondition(op, evaluator.numbers.constant(op.getValue()));
}

Step handleSelect(Evaluator &evaluator, arith::SelectOp op) {
  ConditionId condition = evaluator.getCondition(op.getCondition());
  return evaluator.set(op.getResult(),
                       evaluator.join(condition,
                                      evaluator.getDatum(op.getTrueValue()),
                                      evaluator.getDatum(op.getFalseValue())));
}

/// Between index and the integers of 64 bits.
template <typename OpT> Step handleCast(Evaluator &evaluator, OpT op) {
  return evaluator.setNumber(op, evaluator.getNumber(op->getOperand(0)));
}

template <typename OpT, Binary kind, bool isUnsigned = false>
void addBinary(HandlerTable &table) {
  table.add<OpT, handleBinary<kind, isUnsigned, OpT>>();
}

} // namespace

void infer::addArithHandlers(HandlerTable &table) {
  addBinary<arith::AddIOp, Binary::Add>(table);
  addBinary<arith::SubIOp, Binary::Sub>(table);
  addBinary<arith::MulIOp, Binary::Mul>(table);
  addBinary<arith::DivSIOp, Binary::Div>(table);
  addBinary<arith::DivUIOp, Binary::Div, true>(table);
  addBinary<arith::CeilDivSIOp, Binary::CeilDiv>(table);
  addBinary<arith::CeilDivUIOp, Binary::CeilDiv, true>(table);
  addBinary<arith::FloorDivSIOp, Binary::FloorDiv>(table);
  addBinary<arith::RemSIOp, Binary::Rem>(table);
  addBinary<arith::RemUIOp, Binary::Rem, true>(table);
  addBinary<arith::MaxSIOp, Binary::Max>(table);
  addBinary<arith::MaxUIOp, Binary::Max, true>(table);
  addBinary<arith::MinSIOp, Binary::Min>(table);
  addBinary<arith::MinUIOp, Binary::Min, true>(table);
  addBinary<arith::AndIOp, Binary::And>(table);
  addBinary<arith::OrIOp, Binary::Or>(table);
  addBinary<arith::XOrIOp, Binary::Xor>(table);
  table.add<arith::CmpIOp, handleArithCompare>();
  table.add<arith::ConstantOp, handleArithConstant>();
  table.add<arith::SelectOp, handleSelect>();
  table.add<arith::IndexCastOp, handleCast<arith::IndexCastOp>>();

  addBinary<index::AddOp, Binary::Add>(table);
  addBinary<index::SubOp, Binary::Sub>(table);
  addBinary<index::MulOp, Binary::Mul>(table);
  addBinary<index::DivSOp, Binary::Div>(table);
  addBinary<index::DivUOp, Binary::Div, true>(table);
  addBinary<index::CeilDivSOp, Binary::CeilDiv>(table);
  addBinary<index::CeilDivUOp, Binary::CeilDiv, true>(table);
  addBinary<index::FloorDivSOp, Binary::FloorDiv>(table);
  addBinary<index::RemSOp, Binary::Rem>(table);
  addBinary<index::RemUOp, Binary::Rem, true>(table);
  addBinary<index::MaxSOp, Binary::Max>(table);
  addBinary<index::MaxUOp, Binary::Max, true>(table);
  addBinary<index::MinSOp, Binary::Min>(table);
  addBinary<index::MinUOp, Binary::Min, true>(table);
  addBinary<index::ShlOp, Binary::Shl>(table);
  addBinary<index::ShrSOp, Binary::Shr>(table);
  addBinary<index::ShrUOp, Binary::Shr, true>(table);
  addBinary<index::AndOp, Binary::And>(table);
  addBinary<index::OrOp, Binary::Or>(table);
  addBinary<index::XOrOp, Binary::Xor>(table);
  table.add<index::CmpOp, handleIndexCompare>();
  table.add<index::ConstantOp, handleIndexConstant>();
  table.add<index::BoolConstantOp, handleBoolConstant>();
}
