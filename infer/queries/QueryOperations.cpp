//===- QueryOperations.cpp - what single operations give ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/IntegerArithmetic.h"
#include "infer/numbers/WordOperations.h"
#include "infer/queries/QueryArithmetic.h"
#include "infer/queries/QueryEvaluator.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The truth of a comparison of words; sign extension keeps both the signed and
/// the unsigned order of words.
static ConditionId compareWords(Numbers &numbers,
                                arith::CmpIPredicate predicate, const Number &a,
                                const Number &b) {
  std::optional<int64_t> x = numbers.getWord(a), y = numbers.getWord(b);
  if (!x || !y)
    return evaluateComparison(numbers, predicate, a, b);
  return numbers.constant(arith::applyCmpPredicate(
      predicate, llvm::APInt(64, uint64_t(*x)), llvm::APInt(64, uint64_t(*y))));
}

void QueryEvaluator::compute(Operation *op) {
  for (Value result : op->getResults())
    setUnknown(result);
  if (auto product = dyn_cast<arith::MulSIExtendedOp>(op)) {
    auto [low, high] = evaluateWideProduct(numbers, getNumber(product.getLhs()),
                                           getNumber(product.getRhs()));
    setNumber(product.getLow(), low);
    setNumber(product.getHigh(), high);
  }
  if (op->getNumResults() != 1)
    return;
  QueryValue &result = values[op->getResult(0)];
  bool isCondition = op->getResult(0).getType().isInteger(1);
  if (auto selection = dyn_cast<arith::SelectOp>(op)) {
    std::vector<QueryValue> sides = getAll(op->getOperands().drop_front());
    values[op->getResult(0)] =
        select(getCondition(selection.getCondition()), sides[0], sides[1]);
    return;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    result.condition = compare.getLhs().getType().isInteger(1)
                           ? compareTruths(numbers, compare.getPredicate(),
                                           getCondition(compare.getLhs()),
                                           getCondition(compare.getRhs()))
                           : compareWords(numbers, compare.getPredicate(),
                                          getNumber(compare.getLhs()),
                                          getNumber(compare.getRhs()));
    return;
  }
  std::optional<IntegerCast> cast = getIntegerCast(op);
  if (cast && isCondition) {
    result.condition = getLastBit(numbers, getNumber(op->getOperand(0)));
    return;
  }
  if (isCondition) {
    SmallVector<ConditionId> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand.getType().isInteger(1) ? getCondition(operand)
                                                        : Numbers::kUnknown);
    result.condition = evaluateLogic(numbers, op, operands);
    return;
  }
  result.number = computeWord(op);
}

/// An unknown number that is cut to 32 bits or more is assumed to fit, because
/// it is the extent of an axis in general, and no tensor has a longer one.
Number QueryEvaluator::computeWord(Operation *op) {
  auto number = [&](Value value) { return std::optional(getNumber(value)); };
  auto condition = [&](Value value) { return getCondition(value); };
  if (auto word = evaluateWordOperation(numbers, op, {number, condition}))
    return *word;
  constexpr unsigned kLong = 32;
  std::optional<IntegerCast> cast = getIntegerCast(op);
  return cast && cast->to < cast->from && cast->to >= kLong
             ? getNumber(op->getOperand(0))
             : numbers.unknownWord();
}
