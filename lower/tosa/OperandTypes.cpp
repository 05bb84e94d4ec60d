//===- OperandTypes.cpp - results have the types of operands --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/OperandTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace broadloom;

/// Whether upstream's lowering derives the result type from the operands'
/// types.
static bool isMadeOfOperandTypes(Operation *op) {
  return isa<tosa::FFT2dOp, tosa::RFFT2dOp, tosa::ReverseOp, tosa::TableOp,
             tosa::TransposeOp>(op);
}

RankedTensorType lower::openExtents(RankedTensorType type) {
  return type.clone(
      SmallVector<int64_t>(size_t(type.getRank()), ShapedType::kDynamic));
}

/// Casts `value` to that type. If the types contradict each other, as in
/// unreachable code, two casts go through a type with dynamic extents.
static SmallVector<tensor::CastOp> castTo(OpBuilder &builder, Value value,
                                          RankedTensorType type) {
  SmallVector<tensor::CastOp> casts;
  if (!tensor::CastOp::areCastCompatible(value.getType(), type)) {
    casts.push_back(tensor::CastOp::create(builder, value.getLoc(),
                                           lower::openExtents(type), value));
    value = casts.back();
  }
  casts.push_back(tensor::CastOp::create(builder, value.getLoc(), type, value));
  return casts;
}

static void takeOperandTypes(Operation *op) {
  SmallVector<ShapedTypeComponents> inferred;
  if (failed(cast<InferShapedTypeOpInterface>(op).inferReturnTypeComponents(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
          inferred)))
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (auto [result, components] :
       llvm::zip_equal(op->getResults(), inferred)) {
    auto declared = dyn_cast<RankedTensorType>(result.getType());
    if (!declared || !components.hasRank() ||
        int64_t(components.getDims().size()) != declared.getRank())
      continue;
    auto type = cast<RankedTensorType>(declared.clone(components.getDims()));
    if (type == declared)
      continue;
    result.setType(type);
    SmallVector<tensor::CastOp> casts = castTo(builder, result, declared);
    result.replaceAllUsesExcept(casts.back(), casts.front());
  }
}

void lower::openContradictions(ModuleOp module) {
  module.walk([](tensor::CastOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type ||
        tensor::CastOp::areCastCompatible(op.getSource().getType(), type))
      return;
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        castTo(builder, op.getSource(), type).back().getResult());
    op.erase();
  });
}

void lower::takeOperandTypes(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isMadeOfOperandTypes(op))
      ::takeOperandTypes(op);
  });
}
