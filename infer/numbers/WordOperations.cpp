//===- WordOperations.cpp - integer operations of programs ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/WordOperations.h"
#include "infer/numbers/AffineArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

using Kind = IntegerOperation::Kind;

/// The sign of `x`, 0 or -1, if it is known. Guards use it to detect overflow
/// (CheckedArithmetic).
static std::optional<Number> getSign(Numbers &numbers, const Number &x) {
  if (isNotNegative(numbers, x))
    return Number(0);
  if (decide(numbers, atMost(numbers, x, Number(-1))).isProved())
    return Number(-1);
  return std::nullopt;
}

/// The result of a division of two words.
static std::optional<Number> divideWords(Numbers &numbers,
                                         IntegerOperation operation,
                                         const Number &a, const Number &b,
                                         bool areNatural) {
  // A quotient that is rounded up is computed only for natural numbers.
  if (!areNatural && (operation.isUnsigned || operation.kind == Kind::CeilDiv))
    return std::nullopt;
  if (!decide(numbers, equal(numbers, b, Number(0))).isRefuted())
    return std::nullopt;
  return evaluateDivision(numbers, operation, a, b);
}

/// The result of a shift to the right of the word `a`.
static std::optional<Number> shiftRight(Numbers &numbers,
                                        IntegerOperation operation,
                                        const Number &a, const Number &b) {
  if (operation.isUnsigned && !isNotNegative(numbers, a))
    return std::nullopt;
  std::optional<int64_t> by = numbers.getWord(b);
  if (by && *by >= 0 && *by <= 61)
    return divide(numbers, a, Number(int64_t(1) << *by));
  if (by == 63)
    if (std::optional<Number> sign = getSign(numbers, a))
      return sign;
  return std::nullopt;
}

/// The word of 64 bits that an operation on two such words gives.
static std::optional<Number> evaluateBinary(Numbers &numbers,
                                            IntegerOperation operation,
                                            const Number &a, const Number &b) {
  bool isNatural = isNotNegative(numbers, a),
       isOther = isNotNegative(numbers, b);
  bool areNatural = isNatural && isOther;
  if (operation.isDivision())
    return divideWords(numbers, operation, a, b, areNatural);
  constexpr Bounds natural{0, Bounds::kNone};
  switch (operation.kind) {
  case Kind::And:
    if (areNatural)
      return bitAnd(numbers, a, b);
    return isNatural || isOther ? std::optional(numbers.unknownWord(natural))
                                : std::nullopt;
  case Kind::Or:
  case Kind::Xor:
    return areNatural ? std::optional(numbers.unknownWord(natural))
                      : std::nullopt;
  case Kind::Shr:
    return shiftRight(numbers, operation, a, b);
  case Kind::Min:
  case Kind::Max:
    if (operation.isUnsigned && !areNatural)
      return std::nullopt;
    return operation.kind == Kind::Min ? minimum(numbers, a, b)
                                       : maximum(numbers, a, b);
  default:
    return evaluateWords(numbers, operation, a, b);
  }
}

/// The same for an operation of `width` bits.
static std::optional<Number> evaluateBinary(Numbers &numbers,
                                            IntegerOperation operation,
                                            unsigned width, const Number &a,
                                            const Number &b) {
  if (width > 64)
    return std::nullopt;
  std::optional<int64_t> x = numbers.getWord(a), y = numbers.getWord(b);
  if (x && y) {
    std::optional<int64_t> word = foldWords(operation, width, *x, *y);
    return word ? std::optional(numbers.word(*word)) : std::nullopt;
  }
  std::optional<Number> word = evaluateBinary(numbers, operation, a, b);
  return word && (width == 64 || fits(numbers, *word, width)) ? word
                                                              : std::nullopt;
}

/// The least or the greatest result of the map of an operation.
template <typename OpT>
static std::optional<Number> evaluateAffine(Numbers &numbers, OpT op,
                                            const WordOperands &operands,
                                            OfResults which) {
  SmallVector<Number> known;
  for (Value operand : op->getOperands()) {
    std::optional<Number> number = operands.getNumber(operand);
    if (!number)
      return std::nullopt;
    known.push_back(*number);
  }
  return evaluateMap(numbers, op.getMap(), known, which);
}

std::optional<Number>
infer::evaluateWordOperation(Numbers &numbers, Operation *op,
                             const WordOperands &operands) {
  APInt constant;
  if (matchPattern(op, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? std::optional(numbers.word(constant.getSExtValue()))
               : std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluateAffine(numbers, apply, operands, OfResults::Greatest);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return evaluateAffine(numbers, least, operands, OfResults::Least);
  if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
    return evaluateAffine(numbers, greatest, operands, OfResults::Greatest);
  if (std::optional<IntegerCast> cast = getIntegerCast(op)) {
    Value source = op->getOperand(0);
    if (cast->from == 1)
      return evaluateCast(numbers, *cast, operands.getCondition(source));
    std::optional<Number> number = operands.getNumber(source);
    return number ? evaluateCast(numbers, *cast, *number) : std::nullopt;
  }
  std::optional<IntegerOperation> operation = getIntegerOperation(op);
  if (!operation || !op->getResult(0).getType().isIntOrIndex())
    return std::nullopt;
  std::optional<Number> a = operands.getNumber(op->getOperand(0)),
                        b = operands.getNumber(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(op->getResult(0).getType());
  return evaluateBinary(numbers, *operation, width, *a, *b);
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
