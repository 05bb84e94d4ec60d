//===- IntegerArithmetic.cpp - integer operations over numbers ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"

#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Kind = IntegerOperation::Kind;

std::optional<IntegerOperation> infer::getIntegerOperation(Operation *op) {
  using Result = std::optional<IntegerOperation>;
  auto is = [](Kind kind, bool isUnsigned = false) {
    return
        [=](Operation *) { return Result(IntegerOperation{kind, isUnsigned}); };
  };
  constexpr bool kUnsigned = true;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp, index::AddOp>(is(Kind::Add))
      .Case<arith::SubIOp, index::SubOp>(is(Kind::Sub))
      .Case<arith::MulIOp, index::MulOp>(is(Kind::Mul))
      .Case<arith::DivSIOp, index::DivSOp>(is(Kind::Div))
      .Case<arith::DivUIOp, index::DivUOp>(is(Kind::Div, kUnsigned))
      .Case<arith::CeilDivSIOp, index::CeilDivSOp>(is(Kind::CeilDiv))
      .Case<arith::CeilDivUIOp, index::CeilDivUOp>(is(Kind::CeilDiv, kUnsigned))
      .Case<arith::FloorDivSIOp, index::FloorDivSOp>(is(Kind::FloorDiv))
      .Case<arith::RemSIOp, index::RemSOp>(is(Kind::Rem))
      .Case<arith::RemUIOp, index::RemUOp>(is(Kind::Rem, kUnsigned))
      .Case<arith::MaxSIOp, index::MaxSOp>(is(Kind::Max))
      .Case<arith::MaxUIOp, index::MaxUOp>(is(Kind::Max, kUnsigned))
      .Case<arith::MinSIOp, index::MinSOp>(is(Kind::Min))
      .Case<arith::MinUIOp, index::MinUOp>(is(Kind::Min, kUnsigned))
      .Case<arith::ShLIOp, index::ShlOp>(is(Kind::Shl))
      .Case<arith::ShRSIOp, index::ShrSOp>(is(Kind::Shr))
      .Case<arith::ShRUIOp, index::ShrUOp>(is(Kind::Shr, kUnsigned))
      .Case<arith::AndIOp, index::AndOp>(is(Kind::And))
      .Case<arith::OrIOp, index::OrOp>(is(Kind::Or))
      .Case<arith::XOrIOp, index::XOrOp>(is(Kind::Xor))
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<IntegerCast> infer::getIntegerCast(Operation *op) {
  bool isSigned = isa<arith::ExtSIOp, arith::IndexCastOp, index::CastSOp>(op);
  if (!isSigned && !isa<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp,
                        index::CastUOp>(op))
    return std::nullopt;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!from.isIntOrIndex() || !to.isIntOrIndex())
    return std::nullopt;
  return IntegerCast{ConstantIntRanges::getStorageBitwidth(from),
                     ConstantIntRanges::getStorageBitwidth(to), isSigned};
}

bool infer::fits(const Numbers &numbers, const Number &x, unsigned width) {
  Bounds bounds = boundsOf(numbers, x);
  return bounds.lo >= llvm::minIntN(width) && bounds.hi <= llvm::maxIntN(width);
}

std::optional<Number> infer::evaluateCast(Numbers &numbers, IntegerCast cast,
                                          const Number &x) {
  bool isLonger = cast.from < cast.to;
  if (cast.from == cast.to || (isLonger && cast.isSigned))
    return x;
  std::optional<int64_t> word = numbers.getWord(x);
  if (isLonger) {
    if (word && cast.from < 64)
      return numbers.word(*word & llvm::maskTrailingOnes<uint64_t>(cast.from));
    return isNotNegative(numbers, x) ? std::optional(x) : std::nullopt;
  }
  if (cast.to >= 64)
    return std::nullopt;
  if (word)
    return numbers.word(llvm::SignExtend64(uint64_t(*word), cast.to));
  return fits(numbers, x, cast.to) ? std::optional(x) : std::nullopt;
}

Number infer::evaluateCast(Numbers &numbers, IntegerCast cast, ConditionId x) {
  int64_t one = cast.isSigned ? -1 : 1;
  if (x == Numbers::kUnknown)
    return numbers.unknownWord(
        {std::min<int64_t>(one, 0), std::max<int64_t>(one, 0)});
  return select(numbers, x, Number(one), Number(0));
}

arith::CmpIPredicate infer::getPredicate(index::CmpOp op) {
  using From = index::IndexCmpPredicate;
  using To = arith::CmpIPredicate;
  switch (op.getPred()) {
  case From::EQ:
    return To::eq;
  case From::NE:
    return To::ne;
  case From::SLT:
    return To::slt;
  case From::SLE:
    return To::sle;
  case From::SGT:
    return To::sgt;
  case From::SGE:
    return To::sge;
  case From::ULT:
    return To::ult;
  case From::ULE:
    return To::ule;
  case From::UGT:
    return To::ugt;
  case From::UGE:
    return To::uge;
  }
  llvm_unreachable("all predicates are above");
}

Number infer::evaluateDivision(Numbers &numbers, IntegerOperation operation,
                               const Number &a, const Number &b) {
  bool areNatural = operation.isUnsigned ||
                    (isNotNegative(numbers, a) && isNotNegative(numbers, b));
  switch (operation.kind) {
  case Kind::Div:
    return areNatural ? divide(numbers, a, b) : truncatedDivide(numbers, a, b);
  case Kind::Rem:
    return areNatural ? remainder(numbers, a, b)
                      : truncatedRemainder(numbers, a, b);
  case Kind::FloorDiv:
    return divide(numbers, a, b);
  case Kind::CeilDiv:
    return ceilDivide(numbers, a, b);
  default:
    return numbers.unknown();
  }
}

/// A shift by an amount of any size. el-3
static llvm::APInt shift(IntegerOperation operation, const llvm::APInt &a,
                         const llvm::APInt &b) {
  uint64_t by = b.getLimitedValue(a.getBitWidth());
  if (operation.kind == Kind::Shl)
    return a.shl(by);
  return operation.isUnsigned ? a.lshr(by) : a.ashr(by);
}

/// A division by a number that is not 0 and whose result is a word.
static llvm::APInt divideBits(IntegerOperation operation, const llvm::APInt &a,
                              const llvm::APInt &b) {
  using Rounding = llvm::APInt::Rounding;
  bool isUnsigned = operation.isUnsigned;
  switch (operation.kind) {
  case Kind::CeilDiv:
    return isUnsigned ? llvm::APIntOps::RoundingUDiv(a, b, Rounding::UP)
                      : llvm::APIntOps::RoundingSDiv(a, b, Rounding::UP);
  case Kind::FloorDiv:
    return llvm::APIntOps::RoundingSDiv(a, b, Rounding::DOWN);
  case Kind::Rem:
    return isUnsigned ? a.urem(b) : a.srem(b);
  default:
    return isUnsigned ? a.udiv(b) : a.sdiv(b);
  }
}

std::optional<int64_t> infer::foldWords(IntegerOperation operation,
                                        unsigned width, int64_t x, int64_t y) {
  llvm::APInt a(width, uint64_t(x), /*isSigned=*/true),
      b(width, uint64_t(y), /*isSigned=*/true);
  bool isUnsigned = operation.isUnsigned;
  if (operation.isDivision()) {
    if (b.isZero() || (!isUnsigned && b.isAllOnes() && a.isMinSignedValue()))
      return std::nullopt;
    return divideBits(operation, a, b).getSExtValue();
  }
  bool isLess = isUnsigned ? a.ult(b) : a.slt(b);
  switch (operation.kind) {
  case Kind::Add:
    return (a + b).getSExtValue();
  case Kind::Sub:
    return (a - b).getSExtValue();
  case Kind::Mul:
    return (a * b).getSExtValue();
  case Kind::Shl:
  case Kind::Shr:
    return shift(operation, a, b).getSExtValue();
  case Kind::Min:
    return isLess ? x : y;
  case Kind::Max:
    return isLess ? y : x;
  case Kind::And:
    return x & y;
  case Kind::Or:
    return x | y;
  case Kind::Xor:
    return x ^ y;
  default:
    return std::nullopt;
  }
}

std::optional<Number> infer::evaluateWords(Numbers &numbers,
                                           IntegerOperation operation,
                                           const Number &a, const Number &b) {
  std::optional<int64_t> x = numbers.getWord(a), y = numbers.getWord(b);
  if (x && y) {
    std::optional<int64_t> word = foldWords(operation, 64, *x, *y);
    return word ? numbers.word(*word) : numbers.unknownWord();
  }
  switch (operation.kind) {
  case Kind::Add:
    return addWords(numbers, a, b);
  case Kind::Sub:
    return subtractWords(numbers, a, b);
  case Kind::Mul:
    return multiplyWords(numbers, a, b);
  case Kind::Shl:
    if (y && *y >= 0 && *y < 64)
      return multiplyWords(
          numbers, a, numbers.word(static_cast<int64_t>(uint64_t(1) << *y)));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

ConditionId infer::evaluateLogic(Numbers &numbers, Kind kind, ConditionId a,
                                 ConditionId b) {
  switch (kind) {
  case Kind::And:
    return numbers.both(a, b);
  case Kind::Or:
    return numbers.either(a, b);
  case Kind::Xor: {
    ConditionId one = numbers.both(a, numbers.negate(b)),
                other = numbers.both(numbers.negate(a), b);
    return numbers.either(one, other);
  }
  default:
    return Numbers::kUnknown;
  }
}

bool infer::isUnsigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::ult || predicate == P::ule || predicate == P::ugt ||
         predicate == P::uge;
}

ConditionId infer::compareTruths(Numbers &numbers,
                                 arith::CmpIPredicate predicate, ConditionId a,
                                 ConditionId b) {
  using P = arith::CmpIPredicate;
  if (predicate != P::eq && predicate != P::ne)
    return Numbers::kUnknown;
  // Two truth values are equal if one differs from the negation of the other.
  ConditionId same = evaluateLogic(numbers, Kind::Xor, a, numbers.negate(b));
  return predicate == P::eq ? same : numbers.negate(same);
}

ConditionId infer::evaluateComparison(Numbers &numbers,
                                      arith::CmpIPredicate predicate,
                                      const Number &a, const Number &b) {
  using P = arith::CmpIPredicate;
  if (isUnsigned(predicate) &&
      !(isNotNegative(numbers, a) && isNotNegative(numbers, b)))
    return Numbers::kUnknown;
  switch (predicate) {
  case P::eq:
    return equal(numbers, a, b);
  case P::ne:
    return numbers.negate(equal(numbers, a, b));
  case P::slt:
  case P::ult:
    return lessThan(numbers, a, b);
  case P::sle:
  case P::ule:
    return atMost(numbers, a, b);
  case P::sgt:
  case P::ugt:
    return lessThan(numbers, b, a);
  case P::sge:
  case P::uge:
    return atMost(numbers, b, a);
  }
  return Numbers::kUnknown;
}
