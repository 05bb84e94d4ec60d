//===- FunctionGuard.cpp - shape functions that run with the program ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/FunctionGuard.h"

#include "infer/analysis/NumbersAtHand.h"
#include "infer/functions/Origin.h"
#include "infer/functions/ProgramWriter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Collects the inputs of a guard before an operation.
class Inputs {
public:
  Inputs(ShapeAnalysis &analysis, Operation *op, OpBuilder &builder)
      : analysis(analysis), op(op), builder(builder), numbers(analysis, op) {}

  int64_t addShape(Value tensor) {
    auto type = loom::ShapeType::get(builder.getContext(),
                                     cast<ShapedType>(tensor.getType()));
    return add(loom::ShapeOfOp::create(builder, op->getLoc(), type, tensor));
  }

  /// Adds an operand; -1 if nothing of it is read.
  int64_t addOperand(Value value, bool readsElements) {
    Type type = value.getType();
    bool isRead =
        readsElements && getElementTypeOrSelf(type).isSignlessIntOrIndex();
    if (isa<TensorType>(type))
      return isRead ? add(value) : addShape(value);
    if (isa<tosa::shapeType>(type))
      return readsElements ? addList(value) : -1;
    // A scalar is a tensor of one element.
    return isRead ? addElements(RankedTensorType::get({}, type), value) : -1;
  }

  SmallVector<Value> values;

private:
  int64_t add(Value value) {
    values.push_back(value);
    return static_cast<int64_t>(values.size()) - 1;
  }

  int64_t addElements(RankedTensorType type, ValueRange elements) {
    auto made =
        tensor::FromElementsOp::create(builder, op->getLoc(), type, elements);
    setOrigin(made, op);
    return add(made);
  }

  /// Adds the result of an operation on shapes, whose elements are known as
  /// numbers.
  int64_t addList(Value value) {
    std::optional<std::vector<Number>> list =
        analysis.getScalars().getList(value);
    if (!list || !llvm::all_of(*list, [&](const Number &number) {
          return numbers.getEmitter().canEmit(number);
        }))
      return -1;
    SmallVector<Value> elements;
    for (const Number &number : *list)
      elements.push_back(numbers.getEmitter().emit(number));
    return addElements(
        RankedTensorType::get({static_cast<int64_t>(elements.size())},
                              builder.getIndexType()),
        elements);
  }

  ShapeAnalysis &analysis;
  Operation *op;
  OpBuilder &builder;
  NumbersAtHand numbers;
};

} // namespace

loom::RequireFunctionOp infer::requireFunction(ShapeAnalysis &analysis,
                                               Operation *op, bool isAddition,
                                               ValueRange results) {
  EvaluationOptions options;
  options.isAddition = isAddition;
  const ShapeLibrary &library = *analysis.getLibrary();
  Request request = makeRequest(op);
  bool readsElements = infer::readsElements(library, request, options);
  OpBuilder builder(op);
  Inputs inputs(analysis, op, builder);
  ProgramInputs numbers;
  // The operation's own results are available after it.
  if (llvm::any_of(results,
                   [&](Value result) { return result.getDefiningOp() == op; }))
    builder.setInsertionPointAfter(op);
  for (auto [operand, value] : llvm::zip(request.operands, op->getOperands()))
    numbers.operands.push_back(
        inputs.addOperand(value, readsElements && !operand.constant));
  for (Value result : results)
    numbers.results.push_back(
        isa<TensorType>(result.getType()) ? inputs.addShape(result) : -1);
  std::optional<ProgramText> program =
      writeProgram(library, request, numbers, options);
  if (!program)
    return {};
  SmallVector<StringRef> texts(program->texts.begin(), program->texts.end());
  // Extents that depend on data can be compared only with the results.
  bool isStrict = !program->hasData || !results.empty();
  return loom::RequireFunctionOp::create(
      builder, op->getLoc(), builder.getStringAttr(getOrigin(op)),
      inputs.values, builder.getDenseI64ArrayAttr(program->code),
      builder.getStrArrayAttr(texts),
      isStrict ? builder.getUnitAttr() : UnitAttr());
}
