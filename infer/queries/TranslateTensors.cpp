//===- TranslateTensors.cpp - shapes of tensors that are computed ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/FoldElements.h"
#include "infer/queries/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Collects the emitted operations, in order.
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

/// Translates the read of an element of a known list.
void Translator::translate(tensor::ExtractOp op) {
  Value list = withoutCasts(op.getTensor());
  auto made = list.getDefiningOp<tensor::FromElementsOp>();
  DenseIntElementsAttr numbers;
  if ((!made && !matchPattern(list, m_Constant(&numbers))) ||
      !op.getType().isIntOrIndex())
    return;
  auto type = cast<RankedTensorType>(list.getType());
  int64_t offset = 0;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    std::optional<int64_t> at = getConstantIntValue(index);
    if (!at || *at < 0 || *at >= type.getDimSize(axis))
      return;
    offset = offset * type.getDimSize(axis) + *at;
  }
  // A given value is a constant (abi-2).
  if (!made)
    return setScalar(
        op.getResult(),
        arith::ConstantOp::create(
            b, op.getLoc(),
            cast<TypedAttr>(numbers.getValues<Attribute>()[offset])));
  if (Value element = getScalar(made.getElements()[offset]))
    setScalar(op.getResult(), element);
}

void Translator::translate(tensor::ExtractSliceOp op) {
  BoundedShape bounded, source = getBoundedShape(op.getSource());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [axis, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped[axis])
      continue;
    bounded.extents.push_back(getExtent(size));
    // A size that depends on data is at most the source's extent, unless the
    // step may be 0.
    std::optional<int64_t> step =
        getConstantIntValue(op.getMixedStrides()[axis]);
    if (!bounded.extents.back().value && step && *step != 0)
      bounded.extents.back().value = source.extents[axis].value;
  }
  setBoundedShape(op.getResult(), bounded);
}

void Translator::translate(tensor::ReshapeOp op) {
  Value list = withoutCasts(op.getShape());
  BoundedShape bounded;
  DenseIntElementsAttr numbers;
  if (auto extents = list.getDefiningOp<tensor::FromElementsOp>())
    for (Value extent : extents.getElements())
      bounded.extents.push_back(getExtent(extent));
  else if (matchPattern(list, m_Constant(&numbers)))
    for (const APInt &number : numbers)
      bounded.extents.push_back(
          emitter.getFixed(op.getLoc(), number.getSExtValue()));
  else
    return;
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

bool Translator::getArguments(func::CallOp op, ArrayRef<int32_t> numbers,
                              SmallVectorImpl<Value> &arguments) {
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    auto type = dyn_cast<TensorType>(operand.getType());
    if (!type) {
      if (llvm::is_contained(numbers, int32_t(i)))
        arguments.push_back(getScalar(operand));
      continue;
    }
    BoundedShape bounded = getBoundedShape(operand);
    if (!type.hasRank()) {
      arguments.push_back(emitter.getShape(op.getLoc(), bounded));
      continue;
    }
    for (auto [axis, extent] : llvm::enumerate(bounded.extents))
      if (type.isDynamicDim(axis))
        arguments.push_back(extent.isExact ? extent.value : Value());
  }
  return !llvm::is_contained(arguments, Value());
}

void Translator::translate(func::CallOp op) {
  // A query that takes numbers is made only where it is called.
  SmallVector<int32_t> numbers;
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    if (certain && isNumber(operand.getType()) && getScalar(operand))
      numbers.push_back(i);
  func::FuncOp callee = findShapeQuery(op.getCallee(), numbers);
  if (!callee) {
    obstacle = "it calls '" + op.getCallee().str() + "', which has none";
    return;
  }
  // Guards of the callee must not fail on a path that is not taken.
  if (!certain)
    return;
  std::optional<ShapeQueryInfo> info = readShapeQuery(callee);
  SmallVector<Value> arguments;
  if (!getArguments(op, info->takenNumbers, arguments))
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
  for (int32_t i : info->givenNumbers)
    setScalar(op.getResult(i), *next++);
}
