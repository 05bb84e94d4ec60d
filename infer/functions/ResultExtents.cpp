//===- ResultExtents.cpp - result extents as values -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ResultExtents.h"
#include "infer/functions/Evaluate.h"
#include "infer/functions/NumberEmitter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

FailureOr<SmallVector<OpFoldResult>>
infer::emitResultExtents(OpBuilder &builder, Operation *op, unsigned index,
                         ValueRange operands, const ShapeLibrary *library) {
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

  Symbols symbols;
  Numbers numbers(symbols);
  DenseMap<SymbolId, std::pair<Value, int64_t>> sources;
  Request request = makeRequest(op);
  for (auto [operand, value] : llvm::zip_equal(request.operands, operands)) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    for (size_t axis = 0; axis < operand.shape.rank(); ++axis)
      if (operand.shape[axis].isDynamic()) {
        operand.shape[axis] = symbols.create("");
        sources[operand.shape[axis].symbolId()] = {value, axis};
      }
  }
  EvaluationOptions options;
  options.numbers = &numbers;
  std::optional<Outcome> outcome = evaluate(*library, request, options);
  if (!outcome || outcome->truth == Truth::Refuted ||
      outcome->results.size() <= index)
    return failure();
  const Shape &shape = outcome->results[index].shape;
  if (!shape.isRanked() || int64_t(shape.rank()) != declared.getRank())
    return failure();

  Location loc = op->getLoc();
  NumberEmitter emitter(
      builder, loc, numbers,
      [&](SymbolId symbol) -> Value {
        auto [value, axis] = sources.lookup(symbol);
        return tensor::DimOp::create(builder, loc, value, axis);
      },
      [&](SymbolId symbol) { return sources.contains(symbol); });
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!declared.isDynamicDim(axis)) {
      extents.push_back(asDeclared(axis));
      continue;
    }
    Number number = numbers.numberOf(shape[axis]);
    if (number.isConstant())
      extents.push_back(builder.getIndexAttr(number.constant));
    else if (emitter.canEmit(number))
      extents.push_back(emitter.emit(number));
    else
      return failure();
  }
  return extents;
}
