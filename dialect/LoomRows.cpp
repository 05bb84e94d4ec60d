//===- LoomRows.cpp - loom.rows and loom.fold: verification ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::loom;

LogicalResult RowsOp::verifyRegions() {
  Block &body = getBodyBlock();
  if (getNumResults() == 0)
    return emitOpError("needs at least one result");
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("has ")
           << getNumOperands() << " operands but its body has "
           << body.getNumArguments() << " arguments";
  for (auto [i, operand] : llvm::enumerate(getInputs())) {
    Type expected = getElementTypeOrSelf(operand.getType());
    if (body.getArgument(i).getType() != expected)
      return emitOpError("body argument ")
             << i << " has type " << body.getArgument(i).getType()
             << " but operand " << i << " gives " << expected;
  }
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != getNumResults())
    return emitOpError("has ")
           << getNumResults() << " results and must yield as many values";
  int64_t rank = cast<RankedTensorType>(getResult(0).getType()).getRank();
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    auto type = cast<RankedTensorType>(getResult(i).getType());
    if (value.getType() != type.getElementType())
      return emitOpError("yields ")
             << value.getType() << " for result " << i
             << ", whose element type is " << type.getElementType();
    if (type.getRank() != rank)
      return emitOpError("results have ranks ")
             << rank << " and " << type.getRank()
             << "; all results have the rank of the space";
  }
  int64_t last = -1;
  for (int64_t axis : getAxes()) {
    if (axis <= last || axis >= rank)
      return emitOpError("axes must be in order and within rank ")
             << rank << ", but axis " << axis << " follows " << last;
    last = axis;
  }
  return success();
}

LogicalResult FoldOp::verifyRegions() {
  Block &combine = getCombine().front();
  Type type = getValue().getType();
  if (getResult().getType() != type || getNeutral().getType() != type)
    return emitOpError("folds ")
           << type << " from " << getNeutral().getType() << " into "
           << getResult().getType() << "; all three must be one type";
  auto yield = dyn_cast<YieldOp>(combine.getTerminator());
  if (combine.getNumArguments() != 2 ||
      !llvm::all_of(combine.getArgumentTypes(),
                    [&](Type argument) { return argument == type; }) ||
      !yield || yield.getNumOperands() != 1 ||
      yield.getOperand(0).getType() != type)
    return emitOpError("combines two values of ") << type << " into one";
  return success();
}
