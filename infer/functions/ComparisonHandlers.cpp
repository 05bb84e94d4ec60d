//===- ComparisonHandlers.cpp - shapes compared and combined --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of upstream's shape dialect that compute or require that
// shapes are equal or broadcast. The formula of broadcasting is in shape/.
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Handlers.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/SymbolExtents.h"
#include "shape/Broadcast.h"
#include "shape/FunctionMessages.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

ConditionId areEqual(Evaluator &evaluator, OperandRange values) {
  Numbers &numbers = evaluator.numbers;
  ConditionId all = Numbers::kTrue;
  if (values.empty())
    return all;
  auto first = evaluator.getShape(values.front());
  for (Value value : values.drop_front()) {
    auto next = evaluator.getShape(value);
    if (!first->isRanked || !next->isRanked) {
      all = numbers.both(all, Numbers::kUnknown);
      continue;
    }
    if (first->extents.size() != next->extents.size())
      return Numbers::kFalse;
    for (size_t i = 0; i < next->extents.size(); ++i)
      all = numbers.both(all,
                         equal(numbers, first->extents[i], next->extents[i]));
  }
  return all;
}

std::vector<Datum> getData(Evaluator &evaluator, ValueRange values) {
  std::vector<Datum> data;
  for (Value value : values)
    data.push_back(evaluator.getDatum(value));
  return data;
}

Step handleShapeEq(Evaluator &evaluator, shape::ShapeEqOp op) {
  return evaluator.setCondition(op, areEqual(evaluator, op.getShapes()));
}

Step handleCstrEq(Evaluator &evaluator, shape::CstrEqOp op) {
  ConditionId condition = areEqual(evaluator, op.getShapes());
  evaluator.setCondition(op, condition);
  return evaluator.constrain(op, condition,
                             describeUnequalShapes(op.getShapes().size()),
                             getData(evaluator, op.getShapes()));
}

Step handleCstrRequire(Evaluator &evaluator, shape::CstrRequireOp op) {
  ConditionId condition = evaluator.getCondition(op.getPred());
  evaluator.setCondition(op, condition);
  return evaluator.constrain(op, condition, escapeTemplate(op.getMsg().str()));
}

/// The shapes of a broadcast for shape/Broadcast.h, where its formula is.
struct Broadcasting {
  std::vector<Shape> shapes;
  std::vector<ShapeView> views;
  Broadcast result;

  Broadcasting(Evaluator &evaluator, OperandRange values, bool fresh) {
    for (Value value : values) {
      auto datum = evaluator.getShape(value);
      Shape shape = datum->isRanked ? Shape() : Shape::unranked();
      for (const Number &extent : datum->extents)
        shape.push_back(extentOf(evaluator.numbers, extent));
      shapes.push_back(std::move(shape));
    }
    for (const Shape &shape : shapes)
      views.push_back(shape);
    BroadcastOptions options;
    if (fresh)
      options.fresh = &evaluator.numbers.getSymbols();
    result = broadcast(views, evaluator.numbers.getProver(), options);
  }
};

/// On each axis all extents that are not 1 are equal.
ConditionId doBroadcast(Evaluator &evaluator,
                        const Broadcasting &broadcasting) {
  Numbers &numbers = evaluator.numbers;
  if (broadcasting.result.answer.isRefuted())
    return Numbers::kFalse;
  if (broadcasting.result.answer.isProved())
    return Numbers::kTrue;
  if (broadcasting.result.hasUnranked)
    return Numbers::kUnknown;
  ConditionId all = Numbers::kTrue;
  for (const ShapeConstraint &constraint : broadcasting.result.constraints) {
    Number a = numberOf(numbers, constraint.a.extent);
    Number b = numberOf(numbers, constraint.b.extent);
    ConditionId good = equal(numbers, a, b);
    if (constraint.kind != ShapeConstraint::Kind::Equal)
      good = numbers.either(good, equal(numbers, a, Number(1)));
    if (constraint.kind == ShapeConstraint::Kind::Compatible)
      good = numbers.either(good, equal(numbers, b, Number(1)));
    all = numbers.both(all, good);
  }
  return all;
}

Step handleIsBroadcastable(Evaluator &evaluator, shape::IsBroadcastableOp op) {
  Broadcasting broadcasting(evaluator, op.getShapes(), /*fresh=*/false);
  return evaluator.setCondition(op, doBroadcast(evaluator, broadcasting));
}

/// Uses the messages of shape/Message.h if the extents are known.
Step constrainBroadcast(Evaluator &evaluator, Operation *op,
                        OperandRange values, ConditionId condition,
                        const Broadcasting &broadcasting) {
  if (!broadcasting.result.error)
    return evaluator.constrain(op, condition,
                               describeShapes(listSlots(values.size())),
                               getData(evaluator, values));
  PlainSpelling spelling(&evaluator.numbers.getSymbols());
  std::string text = broadloom::describe(
      *broadcasting.result.error,
      {ShapeList(broadcasting.views), broadcasting.result.inferred, {}},
      spelling);
  return evaluator.constrain(op, condition, escapeTemplate(text));
}

Step handleCstrBroadcastable(Evaluator &evaluator,
                             shape::CstrBroadcastableOp op) {
  Broadcasting broadcasting(evaluator, op.getShapes(), /*fresh=*/false);
  ConditionId condition = doBroadcast(evaluator, broadcasting);
  evaluator.setCondition(op, condition);
  return constrainBroadcast(evaluator, op, op.getShapes(), condition,
                            broadcasting);
}

Step handleBroadcast(Evaluator &evaluator, shape::BroadcastOp op) {
  Numbers &numbers = evaluator.numbers;
  Broadcasting broadcasting(evaluator, op.getShapes(), /*fresh=*/true);
  const Broadcast &result = broadcasting.result;
  ConditionId condition = doBroadcast(evaluator, broadcasting);
  Step step = op.getError()
                  ? evaluator.constrain(op, condition,
                                        escapeTemplate(op.getError()->str()))
                  : constrainBroadcast(evaluator, op, op.getShapes(), condition,
                                       broadcasting);
  if (step == Step::Stop)
    return Step::Stop;
  Shape refined = result.refined();
  if (!refined.isRanked())
    return evaluator.setShape(op.getResult(), ShapeDatum::unranked());
  ShapeDatum shape;
  for (size_t axis = 0; axis < refined.rank(); ++axis) {
    std::vector<Extent> parts;
    for (ShapeView view : broadcasting.views)
      if (Extent part = view.alignedTo(refined.rank(), axis); !part.isFixed(1))
        parts.push_back(part);
    if (!llvm::is_contained(parts, refined[axis]))
      defineJoin(numbers, refined[axis], parts);
    shape.extents.push_back(numberOf(numbers, refined[axis]));
  }
  return evaluator.setShape(op.getResult(), std::move(shape));
}

/// The more precise of two equal shapes.
ShapeDatum meet(const ShapeDatum &a, const ShapeDatum &b) {
  if (!a.isRanked)
    return b;
  ShapeDatum result = a;
  result.isOfTensor &= !b.isRanked || b.isOfTensor;
  for (size_t i = 0; b.isRanked && i < result.extents.size(); ++i)
    if (b.extents[i].isConstant())
      result.extents[i] = b.extents[i];
  return result;
}

Step handleMeet(Evaluator &evaluator, shape::MeetOp op) {
  Numbers &numbers = evaluator.numbers;
  std::string message = op.getError() ? escapeTemplate(op.getError()->str())
                                      : std::string(kMustBeEqual);
  bool isTold = evaluator.hasTold(evaluator.getDatum(op.getArg0()),
                                  evaluator.getDatum(op.getArg1()));
  auto values = [&] {
    return op.getError() ? std::vector<Datum>()
                         : getData(evaluator, op->getOperands());
  };
  if (isa<IndexType, shape::SizeType>(op.getType())) {
    Number a = evaluator.getNumber(op.getArg0());
    Number b = evaluator.getNumber(op.getArg1());
    if (!isTold && evaluator.constrain(op, equal(numbers, a, b), message,
                                       values()) == Step::Stop)
      return Step::Stop;
    return evaluator.setNumber(op, b.isConstant() ? b : a);
  }
  if (!isTold && evaluator.constrain(op, areEqual(evaluator, op->getOperands()),
                                     message, values()) == Step::Stop)
    return Step::Stop;
  auto a = evaluator.getShape(op.getArg0()),
       b = evaluator.getShape(op.getArg1());
  // Evaluation may continue after a recorded mismatch.
  if (a->isRanked && b->isRanked && a->extents.size() != b->extents.size())
    return evaluator.setShape(op.getResult(), ShapeDatum::unranked());
  return evaluator.setShape(op.getResult(), meet(*a, *b));
}

Step handleAny(Evaluator &evaluator, shape::AnyOp op) {
  ShapeDatum result = ShapeDatum::unranked();
  for (Value input : op.getInputs()) {
    auto shape = evaluator.getShape(input);
    if (!result.isRanked || !shape->isRanked ||
        result.extents.size() == shape->extents.size())
      result = meet(result, *shape);
  }
  return evaluator.setShape(op.getResult(), std::move(result));
}

} // namespace

void infer::addComparisonHandlers(HandlerTable &table) {
  table.add<shape::ShapeEqOp, handleShapeEq>();
  table.add<shape::CstrEqOp, handleCstrEq>();
  table.add<shape::CstrRequireOp, handleCstrRequire>();
  table.add<shape::IsBroadcastableOp, handleIsBroadcastable>();
  table.add<shape::CstrBroadcastableOp, handleCstrBroadcastable>();
  table.add<shape::BroadcastOp, handleBroadcast>();
  table.add<shape::MeetOp, handleMeet>();
  table.add<shape::AnyOp, handleAny>();
}
