//===- QueryArithmetic.cpp - arith and affine over numbers ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/QueryArithmetic.h"
#include "infer/numbers/AffineArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Number infer::selectNumber(Numbers &numbers, ConditionId condition,
                           const Number &a, const Number &b) {
  if (a == b)
    return a;
  // If both are equal whenever one of them would be chosen, the other is the
  // result. Example: the broadcast of n and 4, after a guard has established
  // that n is 1 or 4.
  ConditionId same = equal(numbers, a, b),
              otherwise = numbers.negate(condition);
  auto isProved = [&](ConditionId x, ConditionId y) {
    return decide(numbers, numbers.either(x, y)).isProved() ||
           decide(numbers, numbers.either(y, x)).isProved();
  };
  if (same == condition || isProved(same, otherwise))
    return b;
  if (same == otherwise || isProved(same, condition))
    return a;
  return select(numbers, condition, a, b);
}

ConditionId infer::evaluateLogic(Numbers &numbers, Operation *op,
                                 ArrayRef<ConditionId> operands) {
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return numbers.constant(!constant.getValue().isZero());
  std::optional<IntegerOperation> operation = getIntegerOperation(op);
  return operation
             ? evaluateLogic(numbers, operation->kind, operands[0], operands[1])
             : Numbers::kUnknown;
}

std::string infer::nameOf(const Numbers &numbers, const Number &number,
                          SymbolId numNamed) {
  auto isNamed = [&](const Number &part, auto isNamed) -> bool {
    return llvm::all_of(part.terms, [&](const Term &term) {
      return llvm::all_of(term.atoms, [&](AtomId id) {
        const Atom &atom = numbers.getAtom(id);
        if (atom.kind == Atom::Kind::Symbol)
          return atom.symbol < numNamed;
        return atom.kind == Atom::Kind::Quotient && isNamed(atom.a, isNamed) &&
               isNamed(atom.b, isNamed);
      });
    });
  };
  return isNamed(number, isNamed) ? toString(numbers, number) : "?";
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Whether `by` is a valid divisor.
static bool isDivisor(Numbers &numbers, const Number &by) {
  return decide(numbers, equal(numbers, by, Number(0))).isRefuted();
}

/// The sign of `x`, 0 or -1, if it is known. Guards use it to detect overflow
/// (CheckedArithmetic).
static std::optional<Number> getSign(Numbers &numbers, const Number &x) {
  if (isNotNegative(numbers, x))
    return Number(0);
  if (decide(numbers, atMost(numbers, x, Number(-1))).isProved())
    return Number(-1);
  return std::nullopt;
}

/// The word that an operation on two words of 64 bits gives.
static Number evaluateWide(Numbers &numbers, IntegerOperation operation,
                           const Number &a, const Number &b) {
  using Kind = IntegerOperation::Kind;
  bool isNatural = isNotNegative(numbers, a),
       isOther = isNotNegative(numbers, b);
  bool areNatural = isNatural && isOther;
  if (operation.isDivision()) {
    // A quotient that is rounded up is computed only for natural numbers.
    bool isKnown = areNatural ||
                   !(operation.isUnsigned || operation.kind == Kind::CeilDiv);
    return isKnown && isDivisor(numbers, b)
               ? evaluateDivision(numbers, operation, a, b)
               : numbers.unknown();
  }
  switch (operation.kind) {
  // Guards use signs to detect overflow (CheckedArithmetic).
  case Kind::Xor:
    return areNatural ? numbers.unknownWord({0, Bounds::kNone})
                      : numbers.unknownWord();
  case Kind::And:
    return isNatural || isOther ? numbers.unknownWord({0, Bounds::kNone})
                                : numbers.unknownWord();
  case Kind::Shr:
    if (operation.isUnsigned)
      return numbers.unknown();
    if (std::optional<Number> sign =
            numbers.getWord(b) == 63 ? getSign(numbers, a) : std::nullopt)
      return *sign;
    return numbers.unknownWord();
  case Kind::Min:
  case Kind::Max:
    if (operation.isUnsigned && !areNatural)
      return numbers.unknown();
    return operation.kind == Kind::Min ? minimum(numbers, a, b)
                                       : maximum(numbers, a, b);
  default:
    break;
  }
  std::optional<Number> word = evaluateWords(numbers, operation, a, b);
  return word ? *word : numbers.unknown();
}

/// The word that an operation on two words of `type` gives.
static Number evaluateBinary(Numbers &numbers, IntegerOperation operation,
                             Type type, const Number &a, const Number &b) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  std::optional<int64_t> x = numbers.getWord(a), y = numbers.getWord(b);
  if (x && y && width <= 64) {
    std::optional<int64_t> word = foldWords(operation, width, *x, *y);
    return word ? numbers.word(*word) : numbers.unknown();
  }
  Number wide = evaluateWide(numbers, operation, a, b);
  return width == 64 || fits(numbers, wide, width) ? wide : numbers.unknown();
}

/// An unknown number that is cut to 32 bits or more is assumed to fit, because
/// it is the extent of an axis in general, and no tensor has a longer one.
static Number evaluateCastOf(Numbers &numbers, IntegerCast cast,
                             const Number &x) {
  constexpr unsigned kLong = 32;
  if (std::optional<Number> known = evaluateCast(numbers, cast, x))
    return *known;
  return cast.to < cast.from && cast.to >= kLong ? x : numbers.unknown();
}

static Number evaluateOperation(Numbers &numbers, Operation *op,
                                ArrayRef<Number> x) {
  if (std::optional<IntegerOperation> operation = getIntegerOperation(op))
    return evaluateBinary(numbers, *operation, op->getResult(0).getType(), x[0],
                          x[1]);
  if (std::optional<IntegerCast> cast = getIntegerCast(op))
    return evaluateCastOf(numbers, *cast, x[0]);
  auto orUnknown = [&](std::optional<Number> number) {
    return number ? *number : numbers.unknown();
  };
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](affine::AffineApplyOp apply) {
        return orUnknown(
            evaluateMap(numbers, apply.getMap(), x, OfResults::Greatest));
      })
      .Case([&](affine::AffineMinOp minimum) {
        return orUnknown(
            evaluateMap(numbers, minimum.getMap(), x, OfResults::Least));
      })
      .Case([&](affine::AffineMaxOp maximum) {
        return orUnknown(
            evaluateMap(numbers, maximum.getMap(), x, OfResults::Greatest));
      })
      .Default([&](Operation *) { return numbers.unknown(); });
}

ConditionId infer::getLastBit(Numbers &numbers, const Number &number) {
  if (std::optional<int64_t> word = numbers.getWord(number))
    return *word & 1 ? Numbers::kTrue : Numbers::kFalse;
  Bounds bounds = boundsOf(numbers, number);
  return bounds.lo >= 0 && bounds.hi <= 1 ? equal(numbers, number, Number(1))
                                          : Numbers::kUnknown;
}

std::pair<Number, Number>
infer::evaluateWideProduct(Numbers &numbers, const Number &a, const Number &b) {
  std::optional<int64_t> x = numbers.getWord(a), y = numbers.getWord(b);
  if (x && y) {
    llvm::APInt product = llvm::APInt(128, *x, /*isSigned=*/true) *
                          llvm::APInt(128, *y, /*isSigned=*/true);
    return {numbers.word(product.trunc(64).getSExtValue()),
            numbers.word(product.getHiBits(64).trunc(64).getSExtValue())};
  }
  Number low = multiplyWords(numbers, a, b);
  std::optional<Number> exact = multiply(numbers, a, b), sign;
  if (exact && isWord(numbers, *exact))
    sign = getSign(numbers, *exact);
  return {low, sign ? *sign : numbers.unknownWord()};
}

Number infer::evaluateArithmetic(Numbers &numbers, Operation *op,
                                 ArrayRef<Number> operands) {
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return numbers.word(constant.getValue().getSExtValue());
  Number result = evaluateOperation(numbers, op, operands);
  return result;
}
