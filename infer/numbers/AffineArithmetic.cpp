//===- AffineArithmetic.cpp - affine expressions over numbers -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/AffineArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static std::optional<Number> evaluate(Numbers &numbers, AffineExpr expression,
                                      ArrayRef<Number> operands,
                                      unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return numbers.word(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  auto a = evaluate(numbers, binary.getLHS(), operands, numDims);
  auto b = evaluate(numbers, binary.getRHS(), operands, numDims);
  if (!a || !b)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return addWords(numbers, *a, *b);
  if (binary.getKind() == AffineExprKind::Mul)
    return multiplyWords(numbers, *a, *b);
  if (!decide(numbers, lessThan(numbers, Number(0), *b)).isProved())
    return std::nullopt;
  switch (binary.getKind()) {
  case AffineExprKind::FloorDiv:
    return divide(numbers, *a, *b);
  case AffineExprKind::CeilDiv:
    return ceilDivide(numbers, *a, *b);
  default:
    return remainder(numbers, *a, *b);
  }
}

std::optional<Number> infer::evaluateMap(Numbers &numbers, AffineMap map,
                                         ArrayRef<Number> operands,
                                         OfResults which) {
  std::optional<Number> best;
  for (AffineExpr expression : map.getResults()) {
    auto next = evaluate(numbers, expression, operands, map.getNumDims());
    if (!next)
      return std::nullopt;
    if (!best)
      best = next;
    else
      best = which == OfResults::Least ? minimum(numbers, *best, *next)
                                       : maximum(numbers, *best, *next);
  }
  return best;
}
