//===- NormalizeIndices.cpp - axes and extents in one form ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMNORMALIZEINDICES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Converts a shape operand to a list of index, because other integers have no
/// lowering.
static void readAsIndices(tensor::ReshapeOp reshape) {
  auto type = cast<RankedTensorType>(reshape.getShape().getType());
  OpBuilder builder(reshape);
  if (!type.getElementType().isIndex())
    reshape.getShapeMutable().assign(arith::IndexCastOp::create(
        builder, reshape.getLoc(), type.clone(builder.getIndexType()),
        reshape.getShape()));
}

/// Counts axes from the left if the rank is known, because passes look for such
/// axes (bcast-1).
static void countFromLeft(loom::ExtentOp op) {
  auto type = cast<loom::ShapeType>(op.getShape().getType());
  auto axis = int64_t(op.getAxis());
  if (!type.getRanked())
    return;
  if (axis < 0)
    axis += type.getRank();
  if (axis >= 0 && axis < type.getRank()) {
    op.setAxis(axis);
    return;
  }
  OpBuilder builder(op);
  op.getExtent().replaceAllUsesWith(
      arith::ConstantIndexOp::create(builder, op.getLoc(), 1));
  op.erase();
}

namespace {

struct LoomNormalizeIndicesPass
    : legalize::impl::LoomNormalizeIndicesBase<LoomNormalizeIndicesPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](Operation *op) {
      if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
        readAsIndices(reshape);
      else if (auto extent = dyn_cast<loom::ExtentOp>(op))
        countFromLeft(extent);
    });
    return success();
  }
};

} // namespace
