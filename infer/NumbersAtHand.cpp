//===- NumbersAtHand.cpp - numbers where an operation stands --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/NumbersAtHand.h"

#include "infer/functions/Origin.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

NumbersAtHand::NumbersAtHand(ShapeAnalysis &analysis, Operation *op)
    : analysis(analysis), op(op), builder(op),
      emitter(
          builder, op->getLoc(), analysis.getNumbers(),
          [this](SymbolId symbol) { return readSymbol(symbol); },
          [this](SymbolId symbol) { return hasSymbol(symbol); },
          [&analysis](AtomId atom) {
            return analysis.getScalars().getValue(atom);
          }) {
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    Shape shape = analysis.getInfo(operand).shape;
    for (size_t axis = 0; shape.isRanked() && axis < shape.rank(); ++axis)
      if (shape[axis].isSymbol())
        atHand.try_emplace(shape[axis].symbolId(), operand, axis);
  }
}

bool NumbersAtHand::hasSymbol(SymbolId symbol) const {
  if (atHand.contains(symbol))
    return true;
  // What somebody else broadcasts is not made again for this.
  ExtentSource source = analysis.getSource(symbol);
  return source.isKnown && analysis.getNode(source.node).value;
}

Value NumbersAtHand::readSymbol(SymbolId symbol) {
  Location loc = op->getLoc();
  if (auto it = atHand.find(symbol); it != atHand.end())
    return tensor::DimOp::create(builder, loc, it->second.first,
                                 it->second.second);
  ExtentSource source = analysis.getSource(symbol);
  Value value = analysis.getNode(source.node).value;
  if (isa<RankedTensorType>(value.getType()))
    return tensor::DimOp::create(builder, loc, value, source.axis);
  if (auto type = dyn_cast<ShapedType>(value.getType()))
    value = loom::ShapeOfOp::create(
        builder, loc, loom::ShapeType::get(builder.getContext(), type), value);
  return loom::ExtentOp::create(builder, loc, value,
                                static_cast<uint64_t>(source.axis));
}

bool NumbersAtHand::canOblige(const Outcome &outcome,
                              const Constraint &constraint) {
  if (!emitter.canEmitCondition(constraint.condition))
    return false;
  std::vector<Number> data;
  (void)makeTemplate(outcome, constraint, data);
  return llvm::all_of(data,
                      [&](const Number &n) { return emitter.canEmit(n); });
}

loom::ObligeOp NumbersAtHand::oblige(const Outcome &outcome,
                                     const Constraint &constraint) {
  std::vector<Number> data;
  std::string message = makeTemplate(outcome, constraint, data);
  SmallVector<Value> values;
  Value condition = emitter.emitCondition(constraint.condition);
  for (const Number &number : data)
    values.push_back(emitter.emit(number));
  return loom::ObligeOp::create(builder, op->getLoc(), getOrigin(op), condition,
                                message, values);
}
