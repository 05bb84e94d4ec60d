//===- Translator.cpp - a function's shapes, operation by operation -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
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

std::optional<std::string> Translator::run(ShapeQueryInfo &info) {
  if (!llvm::hasSingleElement(func.getBody()))
    return "its branches between blocks have no structured form";
  Block &entry = query.getBody().front();
  b.setInsertionPointToEnd(&entry);
  auto next = entry.args_begin();
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<TensorType>(argument.getType());
    if (!type)
      continue;
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
  Block &body = func.getBody().front();
  translate(body);
  if (obstacle)
    return obstacle;

  SmallVector<Value> values;
  for (auto [i, result] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    auto &certainties = info.results.emplace_back();
    if (!isa<TensorType>(result.getType())) {
      certainties.emplace();
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
  func::ReturnOp::create(b, func.getLoc(), values);
  query.setFunctionType(b.getFunctionType(query.getArgumentTypes(),
                                          TypeRange(ValueRange(values))));
  return std::nullopt;
}

void Translator::translate(Block &block) {
  // Reifying emits operations before the one that is looked at.
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
            func::CallOp, scf::IfOp, scf::ForOp, scf::WhileOp>(
          [&](auto it) { translate(it); })
      .Case<loom::MapOp, loom::BroadcastOp>([&](auto it) { broadcastOf(it); })
      .Case([&](tensor::CastOp cast) {
        setBoundedShape(cast.getResult(), getBoundedShape(cast.getSource()));
      })
      // Before the interface below: what is written to gives the shape.
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

/// Without the elements of tensors some of what is asked is open.
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

void Translator::translate(tensor::DimOp op) {
  std::optional<int64_t> axis = op.getConstantIndex();
  BoundedShape bounded = getBoundedShape(op.getSource());
  // An axis that is not there is no extent.
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

//===----------------------------------------------------------------------===//
// Other tensors
//===----------------------------------------------------------------------===//

namespace {

/// Remembers what is emitted, in order.
struct Collector : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    inserted.push_back(op);
  }
  SmallVector<Operation *> inserted;
};

} // namespace

void Translator::reify(ReifyRankedShapedTypeOpInterface op) {
  auto isOpen = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  if (llvm::none_of(op->getResultTypes(), isOpen))
    return;
  Collector collector;
  OpBuilder builder(op, &collector);
  ReifiedRankedShapedTypeDims shapes;
  LogicalResult reified = op.reifyResultShapes(builder, shapes);
  llvm::append_range(temporary, collector.inserted);
  if (failed(reified) || shapes.size() != op->getNumResults())
    return;
  for (Operation *inserted : collector.inserted)
    translate(inserted);
  for (auto [result, sizes] : llvm::zip_equal(op->getResults(), shapes)) {
    BoundedShape bounded;
    for (OpFoldResult size : sizes)
      bounded.extents.push_back(getExtent(size));
    setBoundedShape(result, bounded);
  }
}

/// Of a list of numbers that are known.
void Translator::translate(tensor::ExtractOp op) {
  Value list = op.getTensor();
  while (auto cast = list.getDefiningOp<tensor::CastOp>())
    list = cast.getSource();
  auto made = list.getDefiningOp<tensor::FromElementsOp>();
  if (!made || !op.getType().isIntOrIndex())
    return;
  auto type = cast<RankedTensorType>(made.getType());
  int64_t place = 0;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    std::optional<int64_t> at = getConstantIntValue(index);
    if (!at || *at < 0 || *at >= type.getDimSize(axis))
      return;
    place = place * type.getDimSize(axis) + *at;
  }
  if (Value element = getScalar(made.getElements()[place]))
    setScalar(op.getResult(), element);
}

void Translator::translate(tensor::ExtractSliceOp op) {
  BoundedShape bounded, source = getBoundedShape(op.getSource());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [axis, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped[axis])
      continue;
    bounded.extents.push_back(getExtent(size));
    // What data decides is at most all there is.
    if (!bounded.extents.back().value)
      bounded.extents.back().value = source.extents[axis].value;
  }
  setBoundedShape(op.getResult(), bounded);
}

void Translator::translate(tensor::ReshapeOp op) {
  auto extents = op.getShape().getDefiningOp<tensor::FromElementsOp>();
  if (!extents)
    return;
  BoundedShape bounded;
  for (Value extent : extents.getElements())
    bounded.extents.push_back(getExtent(extent));
  setBoundedShape(op.getResult(), bounded);
}

void Translator::translate(arith::SelectOp op) {
  if (!isa<TensorType>(op.getType()))
    return compute(op);
  setBoundedShape(op.getResult(),
                  emitter.either(op.getLoc(),
                                 getBoundedShape(op.getTrueValue()),
                                 getBoundedShape(op.getFalseValue())));
}

void Translator::translate(func::CallOp op) {
  func::FuncOp callee = findShapeQuery(op.getCallee());
  if (!callee) {
    obstacle = "it calls '" + op.getCallee().str() + "', which has none";
    return;
  }
  // Guards of the callee must not fail on a path that is not taken.
  if (!certain)
    return;
  std::optional<ShapeQueryInfo> info = readShapeQuery(callee);
  SmallVector<Value> arguments;
  for (Value operand : op.getOperands()) {
    auto type = dyn_cast<TensorType>(operand.getType());
    if (!type)
      continue;
    BoundedShape bounded = getBoundedShape(operand);
    if (!type.hasRank()) {
      arguments.push_back(emitter.getShape(op.getLoc(), bounded));
    } else {
      for (auto [axis, extent] : llvm::enumerate(bounded.extents))
        if (type.isDynamicDim(axis))
          arguments.push_back(extent.isExact ? extent.value : Value());
    }
  }
  if (llvm::is_contained(arguments, Value()))
    return;
  auto call = func::CallOp::create(b, op.getLoc(), callee, arguments);
  auto next = call.result_begin();
  for (auto [result, certainties] :
       llvm::zip_equal(op.getResults(), info->results)) {
    if (!isa<TensorType>(result.getType()))
      continue;
    if (!certainties) {
      setBoundedShape(result, BoundedShape::ofShape(*next++));
      continue;
    }
    BoundedShape bounded;
    for (Certainty certainty : *certainties) {
      Value value = *next++;
      bounded.extents.push_back(
          {certainty == Certainty::Unknown ? Value() : value,
           certainty == Certainty::Exact});
    }
    setBoundedShape(result, bounded);
  }
}
