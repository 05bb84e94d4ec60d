//===- QueryControl.cpp - questions through branches, loops and calls -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/QueryEvaluator.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// A loop of more turns than this is not followed.
static constexpr int64_t kMaxTurns = 4096;

bool QueryEvaluator::evaluate(Block &block) {
  for (Operation &op : block.without_terminator()) {
    evaluate(&op);
    if (answer.status != BROADLOOM_OK)
      return false;
  }
  return true;
}

void QueryEvaluator::evaluate(scf::IfOp op) {
  ConditionId condition = getCondition(op.getCondition());
  Answer taken = numbers.decide(condition);
  auto run = [&](Region &region) -> std::vector<QueryValue> {
    if (region.empty() || !evaluate(region.front()))
      return std::vector<QueryValue>(op.getNumResults());
    return getAll(region.front().getTerminator()->getOperands());
  };
  std::vector<QueryValue> results;
  if (taken.isUnknown()) {
    llvm::SaveAndRestore path(certain, false);
    std::vector<QueryValue> yes = run(op.getThenRegion()),
                            no = run(op.getElseRegion());
    for (size_t i = 0; i < yes.size(); ++i)
      results.push_back(select(condition, yes[i], no[i]));
  } else {
    results = run(taken.isProved() ? op.getThenRegion() : op.getElseRegion());
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
    values[result] = value;
}

void QueryEvaluator::evaluate(scf::ForOp op) {
  Number at = getNumber(op.getLowerBound()), step = getNumber(op.getStep()),
         end = getNumber(op.getUpperBound());
  std::vector<QueryValue> carried = getAll(op.getInitArgs());
  bool isKnown = at.isConstant() && end.isConstant() && step.isConstant() &&
                 step.constant > 0;
  bool isLong = isKnown && end.constant > at.constant &&
                (isFarEnough() ||
                 (end.constant - at.constant) / step.constant > kMaxTurns);
  if (!isKnown || isLong) {
    llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
    if (isLong)
      evaluateAnyTurn(op, {at.constant, end.constant - 1});
    return;
  }
  for (; at.constant < end.constant; at = numbers.add(at, step)) {
    values[op.getInductionVar()].number = at;
    for (auto [argument, value] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      values[argument] = value;
    if (!evaluate(*op.getBody()))
      return;
    carried = getAll(op.getBody()->getTerminator()->getOperands());
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    values[result] = value;
}

/// What holds of any index holds in each turn.
void QueryEvaluator::evaluateAnyTurn(scf::ForOp op, Bounds indices) {
  llvm::SaveAndRestore any(isAnyTurn, true);
  values[op.getInductionVar()].number = numbers.unknown(indices);
  llvm::for_each(op.getRegionIterArgs(), [&](Value v) { setUnknown(v); });
  (void)evaluate(*op.getBody());
}

void QueryEvaluator::evaluate(func::CallOp op) {
  if (isFarEnough()) {
    llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
    answer.isOpen |= certain || isAnyTurn;
    return;
  }
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  for (auto [argument, value] :
       llvm::zip_equal(callee.getArguments(), getAll(op.getOperands())))
    values[argument] = value;
  Block &body = callee.getBody().front();
  if (!evaluate(body))
    return;
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), getAll(body.getTerminator()->getOperands())))
    values[result] = value;
}
