//===- ResultExtents.cpp - result extents as values -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ResultExtents.h"
#include "infer/functions/Evaluate.h"
#include "infer/numbers/NumberEmitter.h"
#include "infer/numbers/SymbolExtents.h"
#include "shape/Memory.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// The attribute of the cast that gives a shape: lower bounds of its numbers.
static constexpr StringLiteral atLeastName = "at_least";

static UnrealizedConversionCastOp getCast(Value shape) {
  auto cast = shape.getDefiningOp<UnrealizedConversionCastOp>();
  return cast && isa<tosa::shapeType>(shape.getType()) ? cast : nullptr;
}

namespace {

/// One evaluation of a shape function over the extents and numbers of values.
class Evaluation {
public:
  Evaluation(OpBuilder &builder, Operation *op, ValueRange operands)
      : builder(builder), op(op), numbers(symbols), request(makeRequest(op)),
        emitter(
            builder, op->getLoc(), numbers,
            [this](SymbolId symbol) -> Value {
              auto [value, axis] = sources.lookup(symbol);
              return tensor::DimOp::create(this->builder, this->op->getLoc(),
                                           value, axis);
            },
            [this](SymbolId symbol) { return sources.contains(symbol); },
            [this](AtomId atom) { return values.lookup(atom); }) {
    for (auto [operand, value] : llvm::zip_equal(request.operands, operands)) {
      if (isa<RankedTensorType>(value.getType()))
        nameExtents(operand, value);
      else if (UnrealizedConversionCastOp cast = getCast(value))
        nameNumbers(operand, cast);
    }
  }

  std::optional<Outcome> evaluate(const ShapeLibrary &library) {
    EvaluationOptions options;
    options.numbers = &numbers;
    return infer::evaluate(library, request, options);
  }
  Number numberOf(Extent extent) { return infer::numberOf(numbers, extent); }
  Number numberOf(const Integer &integer) { return integer.in(numbers); }
  Bounds boundsOf(const Number &number) {
    return numbers.naturalBoundsOf(number);
  }
  FailureOr<OpFoldResult> emit(const Number &number) {
    if (number.isConstant())
      return OpFoldResult(builder.getIndexAttr(number.constant));
    if (!emitter.canEmit(number))
      return failure();
    return OpFoldResult(emitter.emit(number));
  }

private:
  void nameExtents(Operand &operand, Value value) {
    for (size_t axis = 0; axis < operand.shape.rank(); ++axis)
      if (operand.shape[axis].isDynamic()) {
        operand.shape[axis] = symbols.create("");
        // The limit is for tensors with elements. If an extent is 0, results
        // computed from larger ones have no elements either. ext-5
        numbers.limitExtent(operand.shape[axis], kMaxTensorBytes, 0);
        sources[operand.shape[axis].symbolId()] = {value, axis};
      }
  }
  void nameNumbers(Operand &operand, UnrealizedConversionCastOp cast) {
    operand.value.emplace();
    auto atLeast = cast->getAttrOfType<DenseI64ArrayAttr>(atLeastName);
    for (auto [item, least] :
         llvm::zip_equal(cast.getInputs(), atLeast.asArrayRef())) {
      if (std::optional<int64_t> constant = getConstantIntValue(item)) {
        operand.value->push_back(*constant);
        continue;
      }
      Number number = numbers.unknownWord({least, Bounds::kNone});
      values[number.terms[0].atoms[0]] = item;
      operand.value->push_back(number);
    }
  }

  OpBuilder &builder;
  Operation *op;
  Symbols symbols;
  Numbers numbers;
  Request request;
  DenseMap<SymbolId, std::pair<Value, int64_t>> sources;
  DenseMap<AtomId, Value> values;
  NumberEmitter emitter;
};

} // namespace

FailureOr<SmallVector<OpFoldResult>>
ResultExtents::emit(OpBuilder &builder, Operation *op, unsigned index,
                    ValueRange operands) const {
  auto declared = dyn_cast<RankedTensorType>(op->getResult(index).getType());
  if (!declared)
    return failure();
  auto asDeclared = [&](int64_t axis) -> OpFoldResult {
    return builder.getIndexAttr(declared.getDimSize(axis));
  };
  SmallVector<OpFoldResult> extents;
  if (declared.hasStaticShape()) {
    for (int64_t axis : llvm::seq<int64_t>(0, declared.getRank()))
      extents.push_back(asDeclared(axis));
    return extents;
  }
  if (!library)
    return failure();

  Evaluation evaluation(builder, op, operands);
  std::optional<Outcome> outcome = evaluation.evaluate(*library);
  if (outcome && outcome->truth == Truth::Refuted) {
    // A guard before the operation always fails, so that any extents will do.
    // They are values, so that no type contains them.
    for (int64_t axis : llvm::seq<int64_t>(0, declared.getRank()))
      extents.push_back(
          declared.isDynamicDim(axis)
              ? arith::ConstantIndexOp::create(builder, op->getLoc(), 0)
                    .getResult()
              : asDeclared(axis));
    return extents;
  }
  if (!outcome || outcome->results.size() <= index)
    return failure();
  const Shape &shape = outcome->results[index].shape;
  if (!shape.isRanked() || int64_t(shape.rank()) != declared.getRank())
    return failure();
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!declared.isDynamicDim(axis)) {
      extents.push_back(asDeclared(axis));
      continue;
    }
    FailureOr<OpFoldResult> extent =
        evaluation.emit(evaluation.numberOf(shape[axis]));
    if (failed(extent))
      return failure();
    extents.push_back(*extent);
  }
  return extents;
}

/// The numbers of a `!tosa.shape`, as values, and their lower bounds.
struct ShapeNumbers {
  SmallVector<Value> indices;
  SmallVector<int64_t> atLeast;
};

static FailureOr<ShapeNumbers> emitOutcome(OpBuilder &builder, Operation *op,
                                           Evaluation &evaluation,
                                           const Outcome &outcome) {
  ShapeNumbers numbers;
  if (outcome.truth == Truth::Refuted) {
    // A guard before the operation always fails, so that any numbers will do.
    constexpr int64_t any = 1;
    Value one = arith::ConstantIndexOp::create(builder, op->getLoc(), any);
    int64_t count = cast<tosa::shapeType>(op->getResult(0).getType()).getRank();
    numbers.indices.append(count, one);
    numbers.atLeast.append(count, any);
    return numbers;
  }
  if (outcome.results.size() != 1 || !outcome.results[0].value)
    return failure();
  for (const Integer &integer : *outcome.results[0].value) {
    Number number = evaluation.numberOf(integer);
    FailureOr<OpFoldResult> emitted = evaluation.emit(number);
    if (failed(emitted))
      return failure();
    numbers.indices.push_back(
        getValueOrCreateConstantIndexOp(builder, op->getLoc(), *emitted));
    numbers.atLeast.push_back(evaluation.boundsOf(number).lo);
  }
  return numbers;
}

LogicalResult ResultExtents::emitNumbers(Operation *op) const {
  if (isa<tosa::ConstShapeOp>(op))
    return success();
  if (!library)
    return failure();
  OpBuilder builder(op);
  Evaluation evaluation(builder, op, op->getOperands());
  std::optional<Outcome> outcome = evaluation.evaluate(*library);
  if (!outcome)
    return failure();
  FailureOr<ShapeNumbers> numbers =
      emitOutcome(builder, op, evaluation, *outcome);
  if (failed(numbers))
    return failure();
  auto cast = UnrealizedConversionCastOp::create(
      builder, op->getLoc(), op->getResultTypes(), numbers->indices);
  cast->setAttr(atLeastName, builder.getDenseI64ArrayAttr(numbers->atLeast));
  op->replaceAllUsesWith(cast);
  op->erase();
  return success();
}

std::optional<SmallVector<OpFoldResult>> infer::getNumbers(Value shape) {
  SmallVector<int64_t> constants;
  if (Operation *op = shape.getDefiningOp();
      op && tosa::getConstShapeValues(op, constants)) {
    // An attribute cannot be MLIR's sentinel for dynamic extents. A guard
    // rejects such a number, so that any other will do.
    for (int64_t &constant : constants)
      constant = std::max(constant, -std::numeric_limits<int64_t>::max());
    return getAsIndexOpFoldResult(shape.getContext(), constants);
  }
  if (UnrealizedConversionCastOp cast = getCast(shape))
    return getAsOpFoldResult(cast.getInputs());
  return std::nullopt;
}
