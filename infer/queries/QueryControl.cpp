//===- QueryControl.cpp - questions through branches, loops and calls -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Conditions.h"
#include "infer/numbers/Iterations.h"
#include "infer/queries/QueryEvaluator.h"
#include "runtime/abi/Abi.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

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
  Answer taken = decide(numbers, condition);
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
  auto getWord = [&](Value value) { return numbers.getWord(getNumber(value)); };
  std::optional<int64_t> at = getWord(op.getLowerBound()),
                         step = getWord(op.getStep()),
                         end = getWord(op.getUpperBound());
  std::vector<QueryValue> carried = getAll(op.getInitArgs());
  // A guard has checked the step.
  bool isKnown =
      at && end && step && *step != 0 && (op.getUnsignedCmp() || *step > 0);
  if (!isKnown) {
    llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
    return;
  }
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(op.getInductionVar().getType());
  Iterations iterations(*at, *end, *step, width, op.getUnsignedCmp());
  if (iterations.isMoreThan(kMaxIterations) ||
      (iterations.count() != 0 && isFarEnough())) {
    llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
    return evaluateAnyIteration(op, iterations.getBounds());
  }
  for (uint64_t iteration = 0; iteration < iterations.count(); ++iteration) {
    values[op.getInductionVar()].number =
        numbers.word(iterations.getIndex(iteration));
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

/// Evaluates the body once, for an unknown index, so that the result holds for
/// each iteration.
void QueryEvaluator::evaluateAnyIteration(scf::ForOp op, Bounds indices) {
  llvm::SaveAndRestore any(isAnyIteration, true);
  values[op.getInductionVar()].number = numbers.unknown(indices);
  llvm::for_each(op.getRegionIterArgs(), [&](Value v) { setUnknown(v); });
  (void)evaluate(*op.getBody());
}

bool QueryEvaluator::enter(Block &block, const std::vector<QueryValue> &given) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), given))
    values[argument] = value;
  return evaluate(block);
}

void QueryEvaluator::evaluate(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  std::vector<QueryValue> carried = getAll(op.getInits());
  for (uint64_t iteration = 0; iteration <= kMaxIterations && !isFarEnough();
       ++iteration) {
    if (!enter(*op.getBeforeBody(), carried))
      return;
    Answer isAnother = decide(numbers, getCondition(condition.getCondition()));
    if (isAnother.isUnknown()) {
      // The condition depends on extents that the question leaves open.
      llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
      return;
    }
    std::vector<QueryValue> passed = getAll(condition.getArgs());
    if (!isAnother.isProved()) {
      for (auto [result, value] : llvm::zip_equal(op.getResults(), passed))
        values[result] = value;
      return;
    }
    if (!enter(*op.getAfterBody(), passed))
      return;
    carried = getAll(op.getYieldOp().getOperands());
  }
  // Evaluates the regions once, for unknown carried values, so that the result
  // holds for each iteration.
  llvm::SaveAndRestore any(isAnyIteration, true);
  llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
  llvm::for_each(op.getBeforeArguments(), [&](Value v) { setUnknown(v); });
  if (!evaluate(*op.getBeforeBody()))
    return;
  llvm::for_each(op.getAfterArguments(), [&](Value v) { setUnknown(v); });
  (void)evaluate(*op.getAfterBody());
}

void QueryEvaluator::evaluate(func::CallOp op) {
  if (isFarEnough()) {
    llvm::for_each(op.getResults(), [&](Value v) { setUnknown(v); });
    answer.isOpen |= certain || isAnyIteration;
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
