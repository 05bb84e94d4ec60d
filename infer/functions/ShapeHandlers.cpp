//===- ShapeHandlers.cpp - upstream's shape dialect, interpreted ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `!shape.size` and `index`, `!shape.shape` and `tensor<?xindex>` are the same
// here. The dialect's error values do not exist here: an error is a refuted
// constraint.
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Handlers.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "shape/FunctionMessages.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

std::shared_ptr<const ShapeDatum> share(ShapeDatum shape) {
  return std::make_shared<const ShapeDatum>(std::move(shape));
}

Number countOf(const ShapeDatum &shape) {
  return Number(static_cast<int64_t>(shape.extents.size()));
}

//===----------------------------------------------------------------------===//
// Constants and casts
//===----------------------------------------------------------------------===//

Step handleConstShape(Evaluator &evaluator, shape::ConstShapeOp op) {
  std::optional<ShapeDatum> shape = evaluator.readIntegers(op.getShapeAttr());
  return evaluator.setShape(op.getResult(),
                            shape ? *shape : ShapeDatum::unranked());
}

Step handleConstSize(Evaluator &evaluator, shape::ConstSizeOp op) {
  std::optional<int64_t> value = op.getValue().trySExtValue();
  if (!value || *value == INT64_MAX || *value <= -INT64_MAX)
    return evaluator.giveUp(op.getLoc(), "the constant does not fit 63 bits");
  return evaluator.setNumber(op, Number(*value));
}

Step handleConstWitness(Evaluator &evaluator, shape::ConstWitnessOp op) {
  return evaluator.setCondition(op,
                                evaluator.numbers.constant(op.getPassing()));
}

/// Operations whose result is their operand, in another type.
template <typename OpT> Step handleSame(Evaluator &evaluator, OpT op) {
  return evaluator.set(op->getResult(0), evaluator.getDatum(op->getOperand(0)));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Arithmetic that gives nothing where the result is too large.
using ExactArithmetic = std::optional<Number>(Numbers &, const Number &,
                                              const Number &);

template <typename OpT, auto compute>
Step handleArithmetic(Evaluator &evaluator, OpT op) {
  Number a = evaluator.getNumber(op.getLhs());
  Number b = evaluator.getNumber(op.getRhs());
  return evaluator.setNumber(op, compute(evaluator.numbers, a, b));
}

Step handleDiv(Evaluator &evaluator, shape::DivOp op) {
  Numbers &numbers = evaluator.numbers;
  Number a = evaluator.getNumber(op.getLhs());
  Number b = evaluator.getNumber(op.getRhs());
  ConditionId good = numbers.negate(equal(numbers, b, Number(0)));
  if (good == Numbers::kFalse)
    return evaluator.fail(op, substitute(kDivisionBy, {0}));
  if (evaluator.constrain(op, good, kDivisionBy, {b}) == Step::Stop)
    return Step::Stop;
  return evaluator.setNumber(op, divide(numbers, a, b));
}

/// An operation on sizes, or on shapes axis by axis.
template <typename OpT, auto compute>
Step handleExtremum(Evaluator &evaluator, OpT op) {
  if (!isa<shape::ShapeType>(op.getType()))
    return handleArithmetic<OpT, compute>(evaluator, op);
  auto a = evaluator.getShape(op.getLhs()), b = evaluator.getShape(op.getRhs());
  if (!a->isRanked || !b->isRanked)
    return evaluator.setShape(op.getResult(), ShapeDatum::unranked());
  if (a->extents.size() != b->extents.size())
    return evaluator.fail(
        op, substitute(kShapesOfRanks, {int64_t(a->extents.size()),
                                        int64_t(b->extents.size())}));
  ShapeDatum result;
  for (size_t i = 0; i < a->extents.size(); ++i)
    result.extents.push_back(
        compute(evaluator.numbers, a->extents[i], b->extents[i]));
  return evaluator.setShape(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Parts of shapes
//===----------------------------------------------------------------------===//

Step handleShapeOf(Evaluator &evaluator, shape::ShapeOfOp op) {
  return evaluator.set(op.getResult(),
                       share(evaluator.getOperand(op.getArg())->shape));
}

Step handleValueAsShape(Evaluator &evaluator, shape::ValueAsShapeOp op) {
  return evaluator.setShape(
      op.getResult(), evaluator.getValue(*evaluator.getOperand(op.getArg())));
}

Step handleWithShape(Evaluator &evaluator, shape::WithOp op) {
  OperandDatum operand = *evaluator.getOperand(op.getOperand());
  operand.shape = *evaluator.getShape(op.getShape());
  operand.value = ShapeDatum::unranked();
  operand.constant = {};
  operand.number = -1;
  // A layout or bounds need not be valid for another shape.
  operand.encoding = {};
  operand.isScalar = false;
  return evaluator.set(
      op.getResult(), std::make_shared<const OperandDatum>(std::move(operand)));
}

Step handleRank(Evaluator &evaluator, shape::RankOp op) {
  auto shape = evaluator.getShape(op.getShape());
  return evaluator.setNumber(
      op, shape->isRanked ? countOf(*shape)
                          : evaluator.numbers.unknownWord({0, Bounds::kNone}));
}

Step handleNumElements(Evaluator &evaluator, shape::NumElementsOp op) {
  Numbers &numbers = evaluator.numbers;
  auto shape = evaluator.getShape(op.getShape());
  if (!shape->isRanked)
    return evaluator.setNumber(op, numbers.unknownWord({0, Bounds::kNone}));
  std::optional<Number> product(1);
  // If an extent is 0, the others may be of any size.
  for (const Number &extent : shape->extents)
    if (extent.isConstant(0))
      return evaluator.setNumber(op, extent);
  for (const Number &extent : shape->extents)
    product = multiply(numbers, product, extent);
  return evaluator.setNumber(op, product);
}

Step handleGetExtent(Evaluator &evaluator, shape::GetExtentOp op) {
  Numbers &numbers = evaluator.numbers;
  auto shape = evaluator.getShape(op.getShape());
  Number axis = evaluator.getNumber(op.getDim());
  Bounds bounds{isa<shape::SizeType>(op.getType()) ? 0 : -Bounds::kNone,
                Bounds::kNone};
  if (!shape->isRanked)
    return evaluator.setNumber(op, numbers.unknown(bounds));
  Number rank = countOf(*shape);
  ConditionId inside = numbers.both(atMost(numbers, Number(0), axis),
                                    lessThan(numbers, axis, rank));
  if (inside == Numbers::kFalse && axis.isConstant())
    return evaluator.fail(
        op, substitute(kAxisOfShape, {axis.constant, rank.constant}));
  if (axis.isConstant())
    return evaluator.setNumber(op, shape->extents[axis.constant]);
  if (evaluator.constrain(op, inside, kAxisOfShape, {axis, rank}) == Step::Stop)
    return Step::Stop;
  return evaluator.setNumber(op, numbers.unknown(bounds));
}

Step handleFromExtents(Evaluator &evaluator, shape::FromExtentsOp op) {
  ShapeDatum shape;
  for (Value extent : op.getExtents())
    shape.extents.push_back(evaluator.getNumber(extent));
  return evaluator.setShape(op.getResult(), std::move(shape));
}

Step handleConcat(Evaluator &evaluator, shape::ConcatOp op) {
  auto a = evaluator.getShape(op.getLhs()), b = evaluator.getShape(op.getRhs());
  if (!a->isRanked || !b->isRanked)
    return evaluator.setShape(op.getResult(), ShapeDatum::unranked());
  ShapeDatum shape = *a;
  shape.isOfTensor &= b->isOfTensor;
  shape.extents.insert(shape.extents.end(), b->extents.begin(),
                       b->extents.end());
  return evaluator.setShape(op.getResult(), std::move(shape));
}

Step handleSplitAt(Evaluator &evaluator, shape::SplitAtOp op) {
  auto shape = evaluator.getShape(op.getOperand());
  Number index = evaluator.getNumber(op.getIndex());
  if (!shape->isRanked || !index.isConstant()) {
    evaluator.setShape(op.getHead(), ShapeDatum::unranked());
    return evaluator.setShape(op.getTail(), ShapeDatum::unranked());
  }
  int64_t rank = shape->extents.size();
  int64_t at = index.constant < 0 ? index.constant + rank : index.constant;
  if (at < 0 || at > rank)
    return evaluator.fail(op,
                          substitute(kShapeSplitAt, {rank, index.constant}));
  auto middle = shape->extents.begin() + at;
  if (evaluator.setShape(
          op.getHead(), {true, {shape->extents.begin(), middle}}) == Step::Stop)
    return Step::Stop;
  return evaluator.setShape(op.getTail(),
                            {true, {middle, shape->extents.end()}});
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

Step handleReduce(Evaluator &evaluator, shape::ReduceOp op) {
  auto shape = evaluator.getShape(op.getShape());
  if (!shape->isRanked)
    return evaluator.skip(op, "the rank of a shape is not known");
  Block &body = op.getRegion().front();
  std::vector<Datum> data;
  for (Value value : op.getInitVals())
    data.push_back(evaluator.getDatum(value));
  for (auto [i, extent] : llvm::enumerate(shape->extents)) {
    evaluator.set(body.getArgument(0), Number(static_cast<int64_t>(i)));
    evaluator.set(body.getArgument(1), extent);
    for (auto [argument, datum] :
         llvm::zip(body.getArguments().drop_front(2), data))
      evaluator.set(argument, datum);
    data.clear();
    if (evaluator.charge(op, 1) == Step::Stop ||
        evaluator.run(body, &data) == Step::Stop)
      return Step::Stop;
  }
  for (auto [result, datum] : llvm::zip(op.getResults(), data))
    evaluator.set(result, datum);
  return Step::Go;
}

/// The witness was required where it was made.
Step handleAssuming(Evaluator &evaluator, shape::AssumingOp op) {
  std::vector<Datum> data;
  if (evaluator.run(op.getDoRegion().front(), &data) == Step::Stop)
    return Step::Stop;
  for (auto [result, datum] : llvm::zip(op.getResults(), data))
    evaluator.set(result, datum);
  return Step::Go;
}

Step handleAssumingAll(Evaluator &evaluator, shape::AssumingAllOp op) {
  ConditionId all = Numbers::kTrue;
  for (Value witness : op.getInputs())
    all = evaluator.numbers.both(all, evaluator.getCondition(witness));
  return evaluator.setCondition(op, all);
}

} // namespace

void infer::addShapeHandlers(HandlerTable &table) {
  addComparisonHandlers(table);
  table.add<shape::ConstShapeOp, handleConstShape>();
  table.add<shape::ConstSizeOp, handleConstSize>();
  table.add<shape::ConstWitnessOp, handleConstWitness>();
  table.add<shape::IndexToSizeOp, handleSame<shape::IndexToSizeOp>>();
  table.add<shape::SizeToIndexOp, handleSame<shape::SizeToIndexOp>>();
  table.add<shape::ToExtentTensorOp, handleSame<shape::ToExtentTensorOp>>();
  table.add<shape::FromExtentTensorOp, handleSame<shape::FromExtentTensorOp>>();
  table.add<
      shape::AddOp,
      handleArithmetic<shape::AddOp, static_cast<ExactArithmetic *>(add)>>();
  table.add<shape::MulOp,
            handleArithmetic<shape::MulOp,
                             static_cast<ExactArithmetic *>(multiply)>>();
  table.add<shape::DivOp, handleDiv>();
  table.add<shape::MaxOp, handleExtremum<shape::MaxOp, maximum>>();
  table.add<shape::MinOp, handleExtremum<shape::MinOp, minimum>>();
  table.add<shape::ShapeOfOp, handleShapeOf>();
  table.add<shape::ValueAsShapeOp, handleValueAsShape>();
  table.add<shape::WithOp, handleWithShape>();
  table.add<shape::RankOp, handleRank>();
  table.add<shape::NumElementsOp, handleNumElements>();
  table.add<shape::GetExtentOp, handleGetExtent>();
  table.add<shape::FromExtentsOp, handleFromExtents>();
  table.add<shape::ConcatOp, handleConcat>();
  table.add<shape::SplitAtOp, handleSplitAt>();
  table.add<shape::ReduceOp, handleReduce>();
  table.add<shape::AssumingOp, handleAssuming>();
  table.add<shape::AssumingAllOp, handleAssumingAll>();
}
