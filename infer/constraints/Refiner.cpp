//===- Refiner.cpp - what shape functions say of operations ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/Refiner.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/SymbolExtents.h"

#include "dialect/ShapeConversion.h"
#include "infer/analysis/ConstraintAnswers.h"
#include "infer/analysis/NumbersAtHand.h"
#include "infer/constraints/ConstraintRows.h"
#include "infer/constraints/DeclaredResults.h"
#include "infer/constraints/FunctionGuard.h"
#include "infer/constraints/NameOperands.h"
#include "infer/functions/Origin.h"
#include "infer/functions/UserDialects.h"
#include "infer/report/ReportRow.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void Refiner::nameArguments(FunctionOpInterface func) {
  if (!guardReport)
    return;
  for (BlockArgument argument : func.getArguments())
    if (ShapeAnalysis::hasShape(argument.getType()))
      (void)analysis.getInfo(argument);
}

/// Shape functions compute with mathematical integers, lowered code with words.
/// This requires that every extent fits a word. ext-5
void Refiner::requireWords(Operation *op, Outcome &outcome) {
  auto require = [&](const Number &number, bool isExtent, std::string message,
                     std::vector<Datum> data) {
    ConditionId condition = isComputable(numbers, number);
    if (isExtent && numbers.getWord(number) && !number.isConstant())
      // The ends of the 64-bit range are words, but no tensor has such an
      // extent.
      condition = Numbers::kFalse;
    Truth truth = truthOf(numbers, condition);
    // The program does not compute a number that cannot be emitted.
    if (truth == Truth::Proved ||
        (truth == Truth::Unknown &&
         !NumbersAtHand(analysis, op).getEmitter().canEmitCondition(condition)))
      return;
    outcome.constraints.push_back(
        {truth, condition, std::move(message), std::move(data), op->getLoc()});
    if (outcome.truth != Truth::Refuted)
      outcome.truth = truth;
  };
  for (auto [i, components] : llvm::enumerate(outcome.results)) {
    auto index = [](size_t n) { return Number(static_cast<int64_t>(n)); };
    if (components.shape.isRanked())
      for (size_t axis = 0; axis < components.shape.rank(); ++axis)
        if (components.shape[axis].isSymbol())
          require(numberOf(numbers, components.shape[axis]), /*isExtent=*/true,
                  "the extent of axis {1} of result {0} does not fit 63 bits",
                  {index(i), index(axis)});
    if (components.value)
      for (auto [number, integer] : llvm::enumerate(*components.value))
        require(integer.in(numbers), /*isExtent=*/false,
                "number {1} of the shape does not fit 63 bits",
                {index(i), index(number)});
  }
}

bool infer::alwaysRuns(Operation *op) {
  return op->getBlock()->isEntryBlock() &&
         isa<FunctionOpInterface>(op->getParentOp());
}

bool infer::isCertain(Operation *op) {
  return alwaysRuns(op) &&
         cast<FunctionOpInterface>(op->getParentOp()).isPublic();
}

/// Records unknown constraints before the operation. If one is not a condition
/// on extents, it and all later ones are left to the shape function, which is
/// then evaluated at run time (sf-4). Constraints from `numOwn` on, such as
/// those of declared results (rt-4), are not the function's own, so that this
/// evaluation does not check them. Returns false if some constraint is not
/// checked.
bool Refiner::constrainAll(Operation *op, const Outcome &outcome,
                           Effects effects, ArrayRef<size_t> rows,
                           size_t numOwn, bool isAddition) {
  if (outcome.constraints.empty() && !outcome.skipped)
    return true;
  NumbersAtHand numbers(analysis, op);
  bool isCovered = true, runs = false;
  auto run = [&] {
    if (effects.constraints && !runs)
      runs = bool(requireFunction(analysis, op, isAddition));
    return runs;
  };
  for (auto [i, constraint] : llvm::enumerate(outcome.constraints)) {
    if (constraint.truth == Truth::Proved)
      continue;
    bool isOwn = i < numOwn;
    if (!effects.constraints || (isOwn && runs) ||
        !numbers.canConstrain(constraint)) {
      if (isOwn && run()) {
        if (!rows.empty())
          guardReport->rows[rows[i]].reason =
              "its shape function is evaluated when the program runs";
        ++numConstraints;
        if (effects.isWalk || alwaysRuns(op))
          analysis.learn(constraint.condition, "");
        continue;
      }
      isCovered = false;
      ++numOpen;
      if (!rows.empty()) {
        guardReport->rows[rows[i]].status = GuardStatus::Unchecked;
        guardReport->rows[rows[i]].reason =
            "no guard can read what it is about before the operation runs";
      }
      continue;
    }
    loom::ConstrainOp constrain = numbers.constrain(outcome, constraint);
    if (!rows.empty())
      setRow(constrain, rows[i]);
    ++numConstraints;
    // rt-8
    if (effects.isWalk || alwaysRuns(op))
      analysis.learn(constraint.condition,
                     guardReport ? getFactOrigin(constrain) : "");
  }
  if (!outcome.skipped)
    return isCovered;
  run();
  if (effects.constraints)
    addFunctionRow(op, "its shape function accepts the operands", runs,
                   outcome.skipped->message);
  return runs && isCovered;
}

/// Adds a row for the constraints that are left to the shape function of `op`.
void Refiner::addFunctionRow(Operation *op, StringRef constraint, bool runs,
                             StringRef reason) {
  if (!guardReport)
    return;
  GuardReport::Row row = makeRow(op, getOrigin(op));
  row.constraint = constraint.str();
  row.status = runs ? GuardStatus::RunTime : GuardStatus::Unchecked;
  row.reason = reason.str();
  guardReport->rows.push_back(std::move(row));
}

/// Adds the rows to the report, if there is one and it needs them.
std::vector<size_t> Refiner::report(Operation *op, const Outcome &outcome,
                                    Effects effects) {
  return guardReport && effects.constraints ? addRows(*guardReport, op, outcome)
                                            : std::vector<size_t>();
}

LogicalResult Refiner::refine(Operation *op, Effects effects) {
  analysis.forget(op);
  EvaluationOptions options;
  options.findAll = options.keepProved = guardReport && effects.constraints;
  std::optional<Outcome> outcome = analysis.evaluate(op, options);
  if (!outcome)
    return success();
  size_t numOwn = outcome->constraints.size();
  if (!outcome->error && outcome->truth != Truth::Refuted) {
    requireDeclared(op, *outcome,
                    analysis.getLibrary()->lookup(getOperationKey(op)),
                    numbers);
    requireWords(op, *outcome);
  }
  std::vector<size_t> rows = report(op, *outcome, effects);
  nameOperands(analysis, op, *outcome);
  if (outcome->truth == Truth::Refuted) {
    if (!effects.errors)
      return success();
    if (outcome->error || effects.certain)
      return reportRefuted(op->getLoc(), getOrigin(op), *outcome);
    // The types are not refined: they would contradict each other, which later
    // passes reject.
    if (effects.constraints)
      constrainAll(op, *outcome, effects, rows, numOwn);
    return success();
  }
  bool isCovered = constrainAll(op, *outcome, effects, rows, numOwn);
  bool isMapped = analysis.getLibrary()->lookup(getOperationKey(op));
  bool casts = effects.isWalk && isCovered;
  auto verifies = [](Operation *trial) { return verify(trial); };
  effects.types &= isMapped || (isCovered && types.staysValid(op, *outcome,
                                                              casts, verifies));
  if (effects.types)
    types.refineOperands(op, casts);
  if (isCovered)
    setResults(op, *outcome, effects.types);
  else
    analysis.setLists(op, *outcome);
  return success();
}

LogicalResult Refiner::refineAddition(Operation *op, Effects effects) {
  EvaluationOptions options;
  options.isAddition = true;
  options.findAll = options.keepProved = guardReport && effects.constraints;
  std::optional<Outcome> outcome = analysis.evaluate(op, options);
  if (!outcome)
    return success();
  size_t numOwn = outcome->constraints.size();
  if (!outcome->error && outcome->truth != Truth::Refuted)
    requireDeclared(op, *outcome,
                    analysis.getLibrary()->lookupAddition(getOperationKey(op)),
                    numbers);
  std::vector<size_t> rows = report(op, *outcome, effects);
  nameOperands(analysis, op, *outcome);
  if (outcome->truth == Truth::Refuted) {
    if (!effects.errors)
      return success();
    if (outcome->error || alwaysRuns(op))
      return reportRefuted(op->getLoc(), getOrigin(op), *outcome);
  }
  if (!constrainAll(op, *outcome, effects, rows, numOwn,
                    /*isAddition=*/true) ||
      !effects.constraints)
    return success();
  DataExtents data;
  for (const DataExtent &extent : outcome->dataExtents)
    data.try_emplace(extent.symbol, extent);
  bool isCovered = true;
  for (auto [result, components] :
       llvm::zip(op->getResults(), outcome->results))
    isCovered &=
        !components.hasShape ||
        constrainAddition(result, components.shape, data, effects.isWalk);
  if (!isCovered)
    compareWhenItRuns(op, /*isAddition=*/true, op->getResults());
  return success();
}

/// Uses the outcome, all requirements of which are checked.
void Refiner::setResults(Operation *op, const Outcome &outcome,
                         bool refinesTypes) {
  for (const DataExtent &data : outcome.dataExtents)
    dataExtents.try_emplace(data.symbol, data);
  analysis.setResults(op, outcome);
  if (refinesTypes && op->getNumRegions() == 0)
    for (auto [result, components] :
         llvm::zip(op->getResults(), outcome.results))
      numRefined += types.refineResult(result, getEncoding(components));
}

void Refiner::refineMap(loom::MapOp map) {
  types.rankOperands(map);
  for (OpResult result : map->getResults())
    numRefined += types.refineResult(result);
}
