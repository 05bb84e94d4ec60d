//===- ArithHandlers.cpp - arith and index in shape functions -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of shape functions are mathematical and never wrap: a constant
// result that does not fit 63 bits is an error. In unsigned comparisons a
// negative number is greater than all others, as its bits are. Unsigned
// division requires operands that are not negative, because its result on
// others would be no extent.
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Handlers.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "shape/FunctionMessages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

using Kind = IntegerOperation::Kind;

/// Requires that the divisor is not 0, unless that is proved.
Step requireDivisor(Evaluator &evaluator, Operation *op, const Number &by) {
  Numbers &numbers = evaluator.numbers;
  ConditionId good = numbers.negate(equal(numbers, by, Number(0)));
  if (good == Numbers::kTrue)
    return Step::Go;
  if (good == Numbers::kFalse)
    return evaluator.fail(op, substitute(kDivisionBy, {0}));
  return evaluator.constrain(op, good, kDivisionBy, {by});
}

/// Requires that an operand of an unsigned division is not negative, unless
/// that is proved.
Step requireNotNegative(Evaluator &evaluator, Operation *op, const Number &n) {
  if (evaluator.isNotNegative(n))
    return Step::Go;
  return evaluator.constrain(op, atMost(evaluator.numbers, Number(0), n),
                             kUnsignedDivisionWith, {n});
}

/// a < b, unsigned.
ConditionId lessThanUnsigned(Evaluator &evaluator, const Number &a,
                             const Number &b) {
  Numbers &numbers = evaluator.numbers;
  auto isNotNegative = [&](const Number &n) {
    return evaluator.isNotNegative(n) ? Numbers::kTrue
                                      : atMost(numbers, Number(0), n);
  };
  ConditionId x = isNotNegative(a), y = isNotNegative(b);
  ConditionId same = numbers.either(
      numbers.both(x, y), numbers.both(numbers.negate(x), numbers.negate(y)));
  return numbers.either(numbers.both(x, numbers.negate(y)),
                        numbers.both(same, lessThan(numbers, a, b)));
}

/// An operation on the bits of two constants; the result for other numbers is
/// unknown.
std::optional<Number> onBits(Numbers &numbers, Kind kind, const Number &a,
                             const Number &b) {
  bool areConstant = a.isConstant() && b.isConstant();
  int64_t x = a.constant, y = b.constant;
  switch (kind) {
  case Kind::And:
    return bitAnd(numbers, a, b);
  case Kind::Or:
    return areConstant ? Number(x | y) : numbers.unknown();
  case Kind::Xor:
    return areConstant ? Number(x ^ y) : numbers.unknown();
  case Kind::Shl:
    if (b.isConstant() && y >= 0 && y < 62)
      return multiply(numbers, a, Number(int64_t(1) << y));
    return numbers.unknown();
  default:
    if (b.isConstant() && y >= 0 && y < 62)
      return divide(numbers, a, Number(int64_t(1) << y));
    return numbers.unknown();
  }
}

/// Requires that the operands can be divided.
Step requireDivisible(Evaluator &evaluator, Operation *op, bool isUnsigned,
                      const Number &a, const Number &b) {
  if (isUnsigned && (requireNotNegative(evaluator, op, a) == Step::Stop ||
                     requireNotNegative(evaluator, op, b) == Step::Stop))
    return Step::Stop;
  return requireDivisor(evaluator, op, b);
}

/// The minimum or the maximum of two numbers as unsigned ones.
Number chooseUnsigned(Evaluator &evaluator, Kind kind, const Number &a,
                      const Number &b) {
  Numbers &numbers = evaluator.numbers;
  ConditionId isLess = lessThanUnsigned(evaluator, a, b);
  return kind == Kind::Min ? select(numbers, isLess, a, b)
                           : select(numbers, isLess, b, a);
}

/// The result of an operation that is not a division; nothing if it is too
/// large.
std::optional<Number> compute(Evaluator &evaluator, IntegerOperation operation,
                              const Number &a, const Number &b) {
  Numbers &numbers = evaluator.numbers;
  Kind kind = operation.kind;
  if (operation.isUnsigned &&
      !(evaluator.isNotNegative(a) && evaluator.isNotNegative(b)))
    return kind == Kind::Shr ? numbers.unknown()
                             : chooseUnsigned(evaluator, kind, a, b);
  switch (kind) {
  case Kind::Add:
    return add(numbers, a, b);
  case Kind::Sub:
    return subtract(numbers, a, b);
  case Kind::Mul:
    return multiply(numbers, a, b);
  case Kind::Max:
    return maximum(numbers, a, b);
  case Kind::Min:
    return minimum(numbers, a, b);
  default:
    return onBits(numbers, kind, a, b);
  }
}

template <typename OpT> Step handleBinary(Evaluator &evaluator, OpT op) {
  Numbers &numbers = evaluator.numbers;
  IntegerOperation operation = *getIntegerOperation(op);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (lhs.getType().isInteger(1))
    return evaluator.setCondition(
        op, evaluateLogic(numbers, operation.kind, evaluator.getCondition(lhs),
                          evaluator.getCondition(rhs)));
  Number a = evaluator.getNumber(lhs), b = evaluator.getNumber(rhs);
  if (!operation.isDivision())
    return evaluator.setNumber(op, compute(evaluator, operation, a, b));
  if (requireDivisible(evaluator, op, operation.isUnsigned, a, b) == Step::Stop)
    return Step::Stop;
  return evaluator.setNumber(op, evaluateDivision(numbers, operation, a, b));
}

/// A comparison of unsigned numbers that may be negative.
ConditionId compareUnsigned(Evaluator &evaluator,
                            arith::CmpIPredicate predicate, const Number &a,
                            const Number &b) {
  using P = arith::CmpIPredicate;
  Numbers &numbers = evaluator.numbers;
  switch (predicate) {
  case P::ult:
    return lessThanUnsigned(evaluator, a, b);
  case P::ule:
    return numbers.negate(lessThanUnsigned(evaluator, b, a));
  case P::ugt:
    return lessThanUnsigned(evaluator, b, a);
  case P::uge:
    return numbers.negate(lessThanUnsigned(evaluator, a, b));
  default:
    return Numbers::kUnknown;
  }
}

Step setComparison(Evaluator &evaluator, Operation *op,
                   arith::CmpIPredicate predicate) {
  Numbers &numbers = evaluator.numbers;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (lhs.getType().isInteger(1))
    return evaluator.setCondition(
        op, compareTruths(numbers, predicate, evaluator.getCondition(lhs),
                          evaluator.getCondition(rhs)));
  Number a = evaluator.getNumber(lhs), b = evaluator.getNumber(rhs);
  bool areNatural = evaluator.isNotNegative(a) && evaluator.isNotNegative(b);
  return evaluator.setCondition(
      op, isUnsigned(predicate) && !areNatural
              ? compareUnsigned(evaluator, predicate, a, b)
              : evaluateComparison(numbers, predicate, a, b));
}

Step handleArithCompare(Evaluator &evaluator, arith::CmpIOp op) {
  return setComparison(evaluator, op, op.getPredicate());
}

Step handleIndexCompare(Evaluator &evaluator, index::CmpOp op) {
  return setComparison(evaluator, op, getPredicate(op));
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

template <typename... OpT> void addBinaries(HandlerTable &table) {
  (table.add<OpT, handleBinary<OpT>>(), ...);
}

} // namespace

void infer::addArithHandlers(HandlerTable &table) {
  addBinaries<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
              arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
              arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp,
              arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp,
              arith::AndIOp, arith::OrIOp, arith::XOrIOp>(table);
  table.add<arith::CmpIOp, handleArithCompare>();
  table.add<arith::ConstantOp, handleArithConstant>();
  table.add<arith::SelectOp, handleSelect>();
  table.add<arith::IndexCastOp, handleCast<arith::IndexCastOp>>();

  addBinaries<index::AddOp, index::SubOp, index::MulOp, index::DivSOp,
              index::DivUOp, index::CeilDivSOp, index::CeilDivUOp,
              index::FloorDivSOp, index::RemSOp, index::RemUOp, index::MaxSOp,
              index::MaxUOp, index::MinSOp, index::MinUOp, index::ShlOp,
              index::ShrSOp, index::ShrUOp, index::AndOp, index::OrOp,
              index::XOrOp>(table);
  table.add<index::CmpOp, handleIndexCompare>();
  table.add<index::ConstantOp, handleIndexConstant>();
  table.add<index::BoolConstantOp, handleBoolConstant>();
}
