//===- NumbersAtHand.cpp - numbers where an operation stands --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/NumbersAtHand.h"

#include "infer/functions/Origin.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The tensors from which the shape operands of `op` are computed.
static SmallVector<Value> getMeasuredTensors(Operation *op) {
  SmallVector<Value> tensors;
  llvm::SetVector<Operation *> makers;
  auto addMakers = [&](Operation *of) {
    for (Value operand : of->getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && isa<tosa::shapeType>(operand.getType()))
        makers.insert(maker);
  };
  addMakers(op);
  for (size_t i = 0; i < makers.size(); ++i) {
    if (auto dim = dyn_cast<tosa::DimOp>(makers[i]))
      tensors.push_back(dim.getInput1());
    addMakers(makers[i]);
  }
  return tensors;
}

NumbersAtHand::NumbersAtHand(ShapeAnalysis &analysis, Operation *op,
                             Where where)
    : analysis(analysis), op(op), builder(op),
      emitter(
          builder, op->getLoc(), analysis.getNumbers(),
          [this](SymbolId symbol) { return readSymbol(symbol); },
          [this](SymbolId symbol) { return hasSymbol(symbol); },
          [this](AtomId atom) { return readUnknown(atom); },
          [this](AtomId atom) { return hasUnknown(atom); },
          NumberEmitter::Notation::ShapeConstraint) {
  auto addAll = [&](ValueRange values) {
    for (Value value : values) {
      if (!isa<RankedTensorType>(value.getType()))
        continue;
      Shape shape = analysis.getInfo(value).shape;
      for (size_t axis = 0; shape.isRanked() && axis < shape.rank(); ++axis)
        if (shape[axis].isSymbol())
          atHand.try_emplace(shape[axis].symbolId(), value, axis);
    }
  };
  addAll(op->getOperands());
  addAll(getMeasuredTensors(op));
  if (where == Where::Before)
    return;
  builder.setInsertionPointAfter(op);
  addAll(op->getResults());
}

/// Whether the value is available before `op`. When a loop is analysed again, a
/// number may be known by a value after `op`.
static bool isAheadOf(Value value, Operation *op) {
  Operation *ancestor = value.getParentBlock()->findAncestorOpInBlock(*op);
  Operation *maker = value.getDefiningOp();
  return !ancestor || !maker ||
         (maker != ancestor && maker->isBeforeInBlock(ancestor));
}

bool NumbersAtHand::hasSymbol(SymbolId symbol) const {
  if (atHand.contains(symbol))
    return true;
  ExtentSource source = analysis.getFacts().getSource(symbol);
  if (!source.isKnown)
    return false;
  if (Value value = analysis.getTable().getNode(source.node).value)
    return isAheadOf(value, op);
  // The extents of a broadcast of a known rank have definitions.
  return source.axis < 0 &&
         llvm::all_of(
             analysis.getTable().getLeaves(source.node),
             [&](NodeId leaf) {
               Value value = analysis.getTable().getNode(leaf).value;
               return value &&
                      isa<ShapedType, loom::ShapeType>(value.getType());
             });
}

/// The shape of a node: that of a value, or the broadcast of other nodes.
Value NumbersAtHand::readShape(NodeId node) {
  Location loc = op->getLoc();
  SmallVector<Value> shapes;
  for (NodeId leaf : analysis.getTable().getLeaves(node)) {
    Value value = analysis.getTable().getNode(leaf).value;
    auto type = dyn_cast<ShapedType>(value.getType());
    shapes.push_back(
        type ? loom::ShapeOfOp::create(
                   builder, loc,
                   loom::ShapeType::get(builder.getContext(), type), value)
                   .getResult()
             : value);
  }
  if (shapes.size() == 1)
    return shapes.front();
  auto unranked = loom::ShapeType::get(builder.getContext(), false, {});
  return loom::BroadcastOp::create(builder, loc, unranked, shapes);
}

Value NumbersAtHand::readSymbol(SymbolId symbol) {
  Location loc = op->getLoc();
  if (auto it = atHand.find(symbol); it != atHand.end())
    return tensor::DimOp::create(builder, loc, it->second.first,
                                 it->second.second);
  ExtentSource source = analysis.getFacts().getSource(symbol);
  if (Value value = analysis.getTable().getNode(source.node).value;
      value && isa<RankedTensorType>(value.getType()))
    return tensor::DimOp::create(builder, loc, value, source.axis);
  return loom::ExtentOp::create(builder, loc, readShape(source.node),
                                static_cast<uint64_t>(source.axis));
}

/// Whether the elements of a tensor are numbers that can be read one by one.
static bool hasElements(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() &&
         (type.getElementType().isIndex() ||
          (type.getElementType().isSignlessInteger() &&
           type.getElementTypeBitWidth() <= 64));
}

bool NumbersAtHand::hasUnknown(AtomId atom) const {
  const ScalarAnalysis &scalars = analysis.getScalars();
  Value tensor = scalars.getElement(atom).tensor;
  return scalars.getValue(atom) || (tensor && hasElements(tensor));
}

Value NumbersAtHand::readUnknown(AtomId atom) {
  if (Value value = analysis.getScalars().getValue(atom))
    return value;
  auto [tensor, offset] = analysis.getScalars().getElement(atom);
  Value &read = elements[atom];
  if (read)
    return read;
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> indices(type.getRank());
  for (int64_t axis = type.getRank(); axis-- > 0;
       offset /= type.getDimSize(axis))
    indices[axis] = arith::ConstantIndexOp::create(
        builder, loc, offset % type.getDimSize(axis));
  read = tensor::ExtractOp::create(builder, loc, tensor, indices);
  setOrigin(read.getDefiningOp(), op);
  if (type.getElementType().isIndex() || type.getElementType().isInteger(64))
    return read;
  // A truth value is 0 or 1, as in a constant.
  Type wide = builder.getI64Type();
  read = type.getElementType().isInteger(1)
             ? arith::ExtUIOp::create(builder, loc, wide, read).getResult()
             : arith::ExtSIOp::create(builder, loc, wide, read).getResult();
  return read;
}

bool NumbersAtHand::canConstrain(const Constraint &constraint) {
  return emitter.canEmitCondition(constraint.condition);
}

loom::ConstrainOp NumbersAtHand::constrain(const Outcome &outcome,
                                           const Constraint &constraint) {
  auto has = [&](const Number &n) { return emitter.canEmit(n); };
  std::vector<Number> data, shown;
  std::string message = makeTemplate(outcome, constraint, data, has);
  std::string operands = makeOperandsTemplate(constraint, shown, has);
  Value condition = emitter.emitCondition(constraint.condition);
  auto emit = [&](const Number &number) { return emitter.emit(number); };
  SmallVector<Value> values = llvm::map_to_vector(data, emit);
  SmallVector<Value> extents = llvm::map_to_vector(shown, emit);
  return loom::ConstrainOp::create(
      builder, op->getLoc(), getOrigin(op), condition, message, values,
      operands.empty() ? StringAttr() : builder.getStringAttr(operands),
      extents, StringAttr());
}
