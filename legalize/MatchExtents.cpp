//===- MatchExtents.cpp - one static or dynamic extent for each loop ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "read/structure/VerifyLoosely.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMMATCHEXTENTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Calls `look` with each loop that iterates over an axis of `operand`, and the
/// extent of the axis.
static void
forEachLoop(linalg::LinalgOp op, OpOperand &operand,
            llvm::function_ref<void(unsigned loop, unsigned axis)> look) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [axis, index] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      look(loop.getPosition(), axis);
}

/// The loops for which operands have different static or dynamic extents.
static llvm::SmallBitVector findMixed(linalg::LinalgOp op) {
  llvm::SmallBitVector mixed(op.getNumLoops());
  SmallVector<std::optional<int64_t>> extents(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    forEachLoop(op, operand, [&](unsigned loop, unsigned axis) {
      if (extents[loop] && *extents[loop] != type.getDimSize(axis))
        mixed.set(loop);
      extents[loop] = type.getDimSize(axis);
    });
  }
  return mixed;
}

static void match(linalg::LinalgOp op) {
  llvm::SmallBitVector mixed = findMixed(op);
  if (mixed.none())
    return;
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    SmallVector<int64_t> extents(type.getShape());
    forEachLoop(op, operand, [&](unsigned loop, unsigned axis) {
      if (mixed.test(loop))
        extents[axis] = ShapedType::kDynamic;
    });
    if (Type open = type.clone(extents); open != type)
      operand.set(
          tensor::CastOp::create(builder, op->getLoc(), open, operand.get()));
  }
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = result.getType(),
         open = op.getDpsInitOperand(result.getResultNumber())->get().getType();
    if (type == open)
      continue;
    result.setType(open);
    auto cast = tensor::CastOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(cast, cast);
  }
}

namespace {

struct LoomMatchExtentsPass
    : legalize::impl::LoomMatchExtentsBase<LoomMatchExtentsPass> {
  LogicalResult apply(ModuleOp module) override {
    SmallVector<linalg::LinalgOp> operations;
    module.walk([&](linalg::LinalgOp op) {
      if (read::comparesExtents(op))
        operations.push_back(op);
    });
    llvm::for_each(operations, match);
    return success();
  }
};

} // namespace
