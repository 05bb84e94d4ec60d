//===- LoomFusedReduction.cpp - verifying fused reductions, their shapes --===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomFusedReduction.h"

#include "dialect/BroadcastExtents.h"
#include "dialect/ScalarBody.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::loom;

LogicalResult broadloom::loom::verifyYield(Operation *op, Block &body) {
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != op->getNumResults())
    return op->emitOpError("has ")
           << op->getNumResults() << " results and must yield as many values";
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    Type expected = getElementTypeOrSelf(op->getResult(i).getType());
    if (value.getType() != expected)
      return op->emitOpError("yields ")
             << value.getType() << " for result " << i
             << ", whose element type is " << expected;
  }
  return success();
}

LogicalResult broadloom::loom::verifyAxes(Operation *op, ArrayRef<int64_t> axes,
                                          int64_t rank) {
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (axis <= last || axis >= rank)
      return op->emitOpError("axes must be in order and within rank ")
             << rank << ", but axis " << axis << " follows " << last;
    last = axis;
  }
  return success();
}

LogicalResult FusedReductionOp::verifyRegions() {
  if (failed(verifyScalarBody(*this)))
    return failure();
  // getRowDependences uses one bit per operand.
  if (getNumOperands() > 64)
    return emitOpError("has ")
           << getNumOperands() << " operands; at most 64 are possible";
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
  if (failed(verifyYield(*this, body)))
    return failure();
  int64_t rank = cast<RankedTensorType>(getResult(0).getType()).getRank();
  for (Value result : getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getRank() != rank)
      return emitOpError("results have ranks ")
             << rank << " and " << type.getRank()
             << "; all results have the rank of the space";
  }
  for (Value input : getInputs())
    if (auto type = dyn_cast<RankedTensorType>(input.getType());
        type && type.getRank() > rank)
      return emitOpError("an operand has rank ")
             << type.getRank() << ", but the space has rank " << rank;
  if (failed(verifyAxes(*this, getAxes(), rank)))
    return failure();
  if (getAxes().size() != 1)
    for (IndexOp index : body.getOps<IndexOp>())
      return index.emitOpError("counts along one axis, but ")
             << getAxes().size() << " are reduced";
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &combine = getCombine().front();
  Type type = getValue().getType();
  if (getResult().getType() != type || getNeutral().getType() != type)
    return emitOpError("reduces ")
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

llvm::DenseMap<Value, RowDependence>
broadloom::loom::getRowDependences(Block &body) {
  llvm::DenseMap<Value, RowDependence> dependences;
  for (BlockArgument argument : body.getArguments()) {
    uint64_t bit = uint64_t(1) << argument.getArgNumber();
    dependences[argument] = {bit, bit};
  }
  for (Operation &op : body.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<IndexOp>(op))
      continue;
    RowDependence dependence;
    for (Value operand : getReads(&op)) {
      RowDependence of = dependences.lookup(operand);
      dependence.operands |= of.operands;
      dependence.direct |= of.direct;
    }
    if (isa<ReduceOp>(op))
      dependence.direct = 0;
    for (Value result : op.getResults())
      dependences[result] = dependence;
  }
  return dependences;
}

SmallVector<Value>
broadloom::loom::getInputsAlong(FusedReductionOp op,
                                const RowDependence &dependence, int64_t axis) {
  bool isReduced = llvm::is_contained(op.getAxes(), axis);
  uint64_t operands = isReduced ? dependence.direct : dependence.operands;
  SmallVector<Value> inputs;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if ((operands >> i & 1) && isa<ShapedType>(input.getType()))
      inputs.push_back(input);
  return inputs;
}

LogicalResult
FusedReductionOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &reified) {
  if (!llvm::all_of(getInputs(), [](Value input) {
        return !isa<ShapedType>(input.getType()) ||
               isa<RankedTensorType>(input.getType());
      }))
    return failure();
  llvm::DenseMap<Value, RowDependence> dependences =
      getRowDependences(getBodyBlock());
  for (auto [result, value] : llvm::zip_equal(
           getResults(), getBodyBlock().getTerminator()->getOperands())) {
    auto type = cast<RankedTensorType>(result.getType());
    RowDependence dependence = dependences.lookup(value);
    SmallVector<OpFoldResult> extents;
    for (int64_t axis : llvm::seq<int64_t>(0, type.getRank())) {
      if (type.isDynamicDim(axis))
        extents.push_back(reifyBroadcastExtent(
            builder, getLoc(), getInputsAlong(*this, dependence, axis),
            type.getRank(), axis));
      else
        extents.push_back(builder.getIndexAttr(type.getDimSize(axis)));
    }
    reified.push_back(extents);
  }
  return success();
}
