//===- ControlHandlers.cpp - scf and tensor in shape functions ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomShapeOps.h"
#include "infer/functions/Handlers.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/Iterations.h"
#include "shape/FunctionMessages.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

Step setAll(Evaluator &evaluator, ValueRange results,
            const std::vector<Datum> &data) {
  for (auto [result, datum] : llvm::zip(results, data))
    evaluator.set(result, datum);
  return Step::Go;
}

/// Evaluates a branch that may not be taken. Nothing if every run of it fails.
std::optional<std::vector<Datum>>
runBranch(Evaluator &evaluator, Region &region, ConditionId condition) {
  std::vector<Datum> data;
  if (region.empty())
    return data;
  Evaluator::Path path(evaluator, condition);
  if (evaluator.run(region.front(), &data) == Step::Stop)
    return std::nullopt;
  return data;
}

Step handleIf(Evaluator &evaluator, scf::IfOp op) {
  ConditionId condition = evaluator.getCondition(op.getCondition());
  Truth truth = truthOf(evaluator.numbers, condition);
  if (truth != Truth::Unknown) {
    Region &region =
        truth == Truth::Proved ? op.getThenRegion() : op.getElseRegion();
    std::vector<Datum> data;
    if (!region.empty() && evaluator.run(region.front(), &data) == Step::Stop)
      return Step::Stop;
    return setAll(evaluator, op.getResults(), data);
  }
  auto thenData = runBranch(evaluator, op.getThenRegion(), condition);
  if (evaluator.isStopped())
    return Step::Stop;
  auto elseData = runBranch(evaluator, op.getElseRegion(),
                            evaluator.numbers.negate(condition));
  if (evaluator.isStopped())
    return Step::Stop;
  // A branch that always fails yields no results, so that only the other branch
  // counts.
  if (!thenData && !elseData)
    return Step::Stop;
  if (!thenData || !elseData)
    return setAll(evaluator, op.getResults(), thenData ? *thenData : *elseData);
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    evaluator.set(result,
                  evaluator.join(condition, (*thenData)[i], (*elseData)[i]));
  return Step::Go;
}

Step handleFor(Evaluator &evaluator, scf::ForOp op) {
  Number lo = evaluator.getNumber(op.getLowerBound());
  Number hi = evaluator.getNumber(op.getUpperBound());
  Number step = evaluator.getNumber(op.getStep());
  if (!lo.isConstant() || !hi.isConstant() || !step.isConstant())
    return evaluator.skip(op, "how often the loop runs is not known");
  if (step.constant <= 0)
    return evaluator.giveUp(op.getLoc(), "the loop's step is " +
                                             Twine(step.constant) +
                                             "; it must be positive");
  std::vector<Datum> data;
  for (Value value : op.getInitArgs())
    data.push_back(evaluator.getDatum(value));
  Iterations iterations(lo.constant, hi.constant, step.constant, /*width=*/64,
                        /*isUnsigned=*/false);
  for (uint64_t i = 0; i < iterations.count(); ++i) {
    // Counts a step for an empty body, which has no operation that does.
    if (evaluator.charge(op, 1) == Step::Stop)
      return Step::Stop;
    evaluator.set(op.getInductionVar(), Number(iterations.getIndex(i)));
    setAll(evaluator, op.getRegionIterArgs(), data);
    data.clear();
    if (evaluator.run(*op.getBody(), &data) == Step::Stop)
      return Step::Stop;
  }
  return setAll(evaluator, op.getResults(), data);
}

//===----------------------------------------------------------------------===//
// tensor: lists of numbers and of operands
//===----------------------------------------------------------------------===//

/// The index of an element as a constant; nothing where it is not known.
Step getElementIndex(Evaluator &evaluator, Operation *op, Value value,
                     size_t size, std::optional<size_t> &number) {
  Numbers &numbers = evaluator.numbers;
  Number index = evaluator.getNumber(value);
  if (index.isConstant()) {
    if (index.constant < 0 || static_cast<size_t>(index.constant) >= size)
      return evaluator.fail(
          op, substitute(kElementOfList, {index.constant, int64_t(size)}));
    number = index.constant;
    return Step::Go;
  }
  number = std::nullopt;
  ConditionId inside = numbers.both(
      atMost(numbers, Number(0), index),
      lessThan(numbers, index, Number(static_cast<int64_t>(size))));
  return evaluator.constrain(op, inside, kElementOfList,
                             {index, Number(static_cast<int64_t>(size))});
}

Step handleExtract(Evaluator &evaluator, tensor::ExtractOp op) {
  Value source = op.getTensor();
  std::optional<size_t> number;
  if (loom::isOperandList(source.getType())) {
    auto list = evaluator.getList(source);
    if (list->isKnown) {
      if (getElementIndex(evaluator, op, op.getIndices()[0],
                          list->operands.size(), number) == Step::Stop)
        return Step::Stop;
      if (number)
        return evaluator.set(
            op, std::make_shared<const OperandDatum>(list->operands[*number]));
    }
    return evaluator.set(op, evaluator.makeUnknown(op.getType()));
  }
  auto shape = evaluator.getShape(source);
  if (shape->isRanked) {
    if (getElementIndex(evaluator, op, op.getIndices()[0],
                        shape->extents.size(), number) == Step::Stop)
      return Step::Stop;
    if (number)
      return evaluator.setNumber(op, shape->extents[*number]);
  }
  return evaluator.setNumber(op, evaluator.numbers.unknown());
}

/// The number of operands.
Step handleDim(Evaluator &evaluator, tensor::DimOp op) {
  Value source = op.getSource();
  Number axis = evaluator.getNumber(op.getIndex());
  if (axis.isConstant() && axis.constant != 0)
    return evaluator.fail(op, substitute(kAxisOfList, {axis.constant}));
  if (loom::isOperandList(source.getType())) {
    auto list = evaluator.getList(source);
    if (list->isKnown)
      return evaluator.setNumber(
          op, Number(static_cast<int64_t>(list->operands.size())));
  } else if (auto shape = evaluator.getShape(source); shape->isRanked) {
    return evaluator.setNumber(
        op, Number(static_cast<int64_t>(shape->extents.size())));
  }
  return evaluator.setNumber(op,
                             evaluator.numbers.unknownWord({0, Bounds::kNone}));
}

Step handleFromElements(Evaluator &evaluator, tensor::FromElementsOp op) {
  if (loom::isOperandList(op.getType())) {
    ListDatum list;
    for (Value element : op.getElements())
      list.operands.push_back(*evaluator.getOperand(element));
    return evaluator.set(op,
                         std::make_shared<const ListDatum>(std::move(list)));
  }
  ShapeDatum shape;
  for (Value element : op.getElements())
    shape.extents.push_back(evaluator.getNumber(element));
  return evaluator.setShape(op, std::move(shape));
}

/// Between lists of static and of any length.
Step handleCast(Evaluator &evaluator, tensor::CastOp op) {
  return evaluator.set(op, evaluator.getDatum(op.getSource()));
}

} // namespace

void infer::addControlHandlers(HandlerTable &table) {
  table.add<scf::IfOp, handleIf>();
  table.add<scf::ForOp, handleFor>();
  table.add<tensor::ExtractOp, handleExtract>();
  table.add<tensor::DimOp, handleDim>();
  table.add<tensor::FromElementsOp, handleFromElements>();
  table.add<tensor::CastOp, handleCast>();
}

Evaluator::Handler Evaluator::getHandler(Operation *op) {
  static const HandlerTable table = [] {
    HandlerTable table;
    addArithHandlers(table);
    addControlHandlers(table);
    addLoomHandlers(table);
    addShapeHandlers(table);
    return table;
  }();
  return table.lookup(op->getName().getTypeID());
}
