//===- Translator.cpp - a function's shapes, operation by operation -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Translator::Translator(func::FuncOp func, func::FuncOp query,
                       FindShapeQuery findShapeQuery)
    : func(func), query(query), findShapeQuery(findShapeQuery),
      b(func.getContext()), emitter(b, &query.getBody().front()) {}

Translator::~Translator() {
  for (Operation *op : llvm::reverse(temporary))
    op->erase();
}

void Translator::bindArguments(const ShapeQueryInfo &info) {
  auto next = query.args_begin();
  for (auto [i, argument] : llvm::enumerate(func.getArguments())) {
    auto type = dyn_cast<TensorType>(argument.getType());
    if (!type) {
      if (llvm::is_contained(info.takenNumbers, int32_t(i)))
        setScalar(argument, *next++);
      continue;
    }
    if (!type.hasRank()) {
      setBoundedShape(argument, BoundedShape::ofShape(*next++));
      continue;
    }
    BoundedShape bounded = emitter.ofType(func.getLoc(), type);
    for (BoundedExtent &extent : bounded.extents)
      if (!extent.value)
        extent = BoundedExtent::exact(*next++);
    setBoundedShape(argument, bounded);
  }
}

std::optional<std::string> Translator::run(ShapeQueryInfo &info,
                                           bool givesNumbers) {
  if (!llvm::hasSingleElement(func.getBody()))
    return "its branches between blocks have no structured form";
  b.setInsertionPointToEnd(&query.getBody().front());
  bindArguments(info);
  Block &body = func.getBody().front();
  translate(body);
  if (obstacle)
    return obstacle;

  SmallVector<Value> values, numbers;
  for (auto [i, result] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    auto &certainties = info.results.emplace_back();
    if (!isa<TensorType>(result.getType())) {
      certainties.emplace();
      Value number = isNumber(result.getType()) ? getScalar(result) : Value();
      if (number && givesNumbers) {
        info.givenNumbers.push_back(i);
        numbers.push_back(number);
      }
      continue;
    }
    BoundedShape bounded = emitter.withType(
        func.getLoc(), getBoundedShape(result), result.getType());
    if (!bounded.isRanked) {
      if (!bounded.shape)
        return "the rank of result " + std::to_string(i) + " depends on data";
      values.push_back(bounded.shape);
      continue;
    }
    certainties.emplace();
    for (const BoundedExtent &extent : bounded.extents) {
      certainties->push_back(!extent.value    ? Certainty::Unknown
                             : extent.isExact ? Certainty::Exact
                                              : Certainty::Bound);
      values.push_back(extent.value ? extent.value
                                    : emitter.getConstant(func.getLoc(), -1));
    }
  }
  llvm::append_range(values, numbers);
  func::ReturnOp::create(b, func.getLoc(), values);
  query.setFunctionType(b.getFunctionType(query.getArgumentTypes(),
                                          TypeRange(ValueRange(values))));
  return std::nullopt;
}

void Translator::translate(Block &block) {
  // The iteration tolerates insertions: reifying emits operations before the
  // current one.
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    translate(&op);
}

void Translator::translate(Operation *op) {
  forgetAll(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case<loom::RequireOp, loom::RequireBroadcastOp, loom::RequireFunctionOp,
            loom::ShapeOfOp, loom::FromExtentsOp, loom::ExtentOp, loom::RankOp,
            tensor::DimOp, tensor::RankOp, tensor::ExtractOp,
            tensor::ExtractSliceOp, tensor::ReshapeOp, arith::SelectOp,
            func::CallOp, scf::IfOp, scf::ForOp, scf::WhileOp, scf::ForallOp,
            linalg::LinalgOp, linalg::IndexOp>([&](auto it) { translate(it); })
      .Case<tensor::GenerateOp, tensor::PadOp>(
          [&](auto it) { translateElements(it); })
      .Case<loom::MapOp, loom::BroadcastOp>([&](auto it) { broadcastOf(it); })
      .Case([&](tensor::CastOp cast) {
        setBoundedShape(cast.getResult(), getBoundedShape(cast.getSource()));
      })
      // Before the interface below: the result has the destination's shape.
      .Case([&](DestinationStyleOpInterface destination) {
        for (OpResult result : op->getResults())
          setBoundedShape(
              result,
              getBoundedShape(destination.getTiedOpOperand(result)->get()));
      })
      .Case([&](ReifyRankedShapedTypeOpInterface it) { reify(it); })
      .Case([&](ub::PoisonOp it) { poison.insert(it.getResult()); })
      .Default([&](Operation *it) { compute(it); });
}

//===----------------------------------------------------------------------===//
// What is known of values
//===----------------------------------------------------------------------===//

void Translator::forgetAll(Operation *op) {
  for (Value result : op->getResults()) {
    boundedShapes.erase(result);
    scalars.erase(result);
    bounds.erase(result);
    poison.erase(result);
  }
}

BoundedShape Translator::getBoundedShape(Value value) {
  auto it = boundedShapes.find(value);
  return it != boundedShapes.end()
             ? it->second
             : emitter.ofType(value.getLoc(), value.getType());
}

void Translator::setBoundedShape(Value value, BoundedShape bounded) {
  boundedShapes[value] =
      emitter.withType(value.getLoc(), bounded, value.getType());
}

Value Translator::getScalar(Value value) { return scalars.lookup(value); }

Value Translator::getBound(Value value) {
  if (Value exact = getScalar(value))
    return exact;
  return bounds.lookup(value);
}

void Translator::setExtent(Value value, BoundedExtent extent) {
  if (!extent.value)
    return;
  (extent.isExact ? scalars : bounds)[value] = extent.value;
}

BoundedExtent Translator::getExtent(OpFoldResult size) {
  if (auto fixed = getConstantIntValue(size))
    return emitter.getFixed(func.getLoc(), *fixed);
  auto value = cast<Value>(size);
  if (Value exact = getScalar(value))
    return BoundedExtent::exact(exact);
  return {bounds.lookup(value), false};
}

bool Translator::getAll(ValueRange values, SmallVectorImpl<Value> &mapped) {
  for (Value value : values) {
    mapped.push_back(getScalar(value));
    if (!mapped.back())
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Guards and shapes
//===----------------------------------------------------------------------===//

void Translator::translate(loom::RequireOp op) {
  SmallVector<Value> values;
  Value condition = getScalar(op.getCondition());
  if (!certain || !condition)
    return;
  for (Value value : op.getValues()) {
    values.push_back(isa<loom::ShapeType>(value.getType())
                         ? emitter.getShape(op.getLoc(), getBoundedShape(value))
                         : getScalar(value));
    if (!values.back())
      return;
  }
  loom::RequireOp::create(b, op.getLoc(), condition, op.getOriginAttr(),
                          op.getMessageAttr(), op.getAxisAttr(), values);
}

void Translator::translate(loom::RequireBroadcastOp op) {
  SmallVector<Value> shapes;
  for (Value shape : op.getShapes())
    if (Value known = emitter.getShape(op.getLoc(), getBoundedShape(shape)))
      shapes.push_back(known);
  if (certain && shapes.size() == op.getShapes().size())
    loom::RequireBroadcastOp::create(b, op.getLoc(), op.getOriginAttr(), shapes,
                                     op.getOwnersAttr());
}

/// Requirements on elements of tensors stay open.
void Translator::translate(loom::RequireFunctionOp op) {
  SmallVector<Value> shapes;
  bool readsData = false;
  for (Value input : op.getInputs()) {
    readsData |= isa<TensorType>(input.getType());
    if (Value known = emitter.getShape(op.getLoc(), getBoundedShape(input)))
      shapes.push_back(known);
  }
  if (certain && shapes.size() == op.getInputs().size())
    loom::RequireFunctionOp::create(
        b, op.getLoc(), op.getOriginAttr(), shapes, op.getProgramAttr(),
        op.getTextsAttr(), readsData ? UnitAttr() : op.getStrictAttr());
}

void Translator::translate(loom::ShapeOfOp op) {
  setBoundedShape(op.getShape(), getBoundedShape(op.getTensor()));
}

void Translator::translate(loom::FromExtentsOp op) {
  BoundedShape bounded;
  for (Value extent : op.getExtents())
    bounded.extents.push_back(getExtent(extent));
  setBoundedShape(op.getShape(), bounded);
}

void Translator::translate(loom::ExtentOp op) {
  setExtent(op.getExtent(),
            emitter.getExtent(op.getLoc(), getBoundedShape(op.getShape()),
                              static_cast<int64_t>(op.getAxis())));
}

void Translator::translate(loom::RankOp op) {
  BoundedShape bounded = getBoundedShape(op.getShape());
  if (bounded.isRanked)
    setScalar(op.getRank(),
              emitter.getConstant(op.getLoc(), bounded.extents.size()));
  else if (bounded.shape)
    setScalar(op.getRank(),
              loom::RankOp::create(b, op.getLoc(), bounded.shape));
}

/// The number k of an axis that is the rank of the operand less k, a constant
/// from 1 on.
static std::optional<int64_t> getAxisFromRight(tensor::DimOp op) {
  auto difference = op.getIndex().getDefiningOp<arith::SubIOp>();
  if (!difference)
    return std::nullopt;
  auto rank = difference.getLhs().getDefiningOp<tensor::RankOp>();
  APInt less;
  if (!rank || rank.getTensor() != op.getSource() ||
      !matchPattern(difference.getRhs(), m_ConstantInt(&less)) ||
      !less.isStrictlyPositive())
    return std::nullopt;
  return less.getSExtValue();
}

void Translator::translate(tensor::DimOp op) {
  std::optional<int64_t> axis = op.getConstantIndex();
  BoundedShape bounded = getBoundedShape(op.getSource());
  // Guards check a computed axis before it is used.
  if (!axis && bounded.isRanked) {
    Value number = getScalar(op.getIndex());
    if (number && !bounded.extents.empty() && bounded.isKnown())
      setExtent(op.getResult(),
                emitter.chooseExtent(op.getLoc(), bounded, number));
    return;
  }
  if (std::optional<int64_t> last = getAxisFromRight(op); !axis && last)
    return setExtent(op.getResult(),
                     emitter.getExtent(op.getLoc(), bounded, -*last));
  // An axis out of range has no extent.
  if (axis && *axis >= 0 &&
      (!bounded.isRanked ||
       *axis < static_cast<int64_t>(bounded.extents.size())))
    setExtent(op.getResult(), emitter.getExtent(op.getLoc(), bounded, *axis));
}

void Translator::translate(tensor::RankOp op) {
  BoundedShape bounded = getBoundedShape(op.getTensor());
  if (bounded.isRanked)
    setScalar(op.getResult(),
              emitter.getConstant(op.getLoc(), bounded.extents.size()));
  else if (bounded.shape)
    setScalar(op.getResult(),
              loom::RankOp::create(b, op.getLoc(), bounded.shape));
}

void Translator::broadcastOf(Operation *op) {
  SmallVector<BoundedShape> operands;
  for (Value operand : op->getOperands())
    if (hasShape(operand.getType()))
      operands.push_back(getBoundedShape(operand));
  if (op->getNumResults() == 0 || operands.empty())
    return;
  BoundedShape bounded =
      emitter.broadcast(op->getLoc(), operands, op->getResult(0).getType());
  for (Value result : op->getResults())
    setBoundedShape(result, bounded);
}
