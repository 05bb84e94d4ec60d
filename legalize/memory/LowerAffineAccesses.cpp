//===- LowerAffineAccesses.cpp - loads and stores by affine maps ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERAFFINEACCESSES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// The value of one result of an access's map.
static Value computeIndex(OpBuilder &builder, Operation *op, AffineMap map,
                          unsigned axis, ValueRange operands) {
  AffineExpr index = map.getResult(axis);
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return arith::ConstantIndexOp::create(builder, op->getLoc(),
                                          constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(index))
    return operands[map.getNumDims() + symbol.getPosition()];
  auto apply = affine::AffineApplyOp::create(builder, op->getLoc(),
                                             map.getSubMap({axis}), operands);
  infer::takeOrigin(apply, op);
  return apply;
}

static SmallVector<Value> computeIndices(OpBuilder &builder, Operation *op,
                                         AffineMap map, ValueRange operands) {
  return llvm::map_to_vector(
      llvm::seq<unsigned>(map.getNumResults()), [&](unsigned axis) {
        return computeIndex(builder, op, map, axis, operands);
      });
}

static void takeMarks(Operation *made, Operation *op) {
  infer::takeOrigin(made, op);
  for (StringRef mark : {loom::kChecked, loom::kCheckOnly})
    if (Attribute attribute = op->getAttr(mark))
      made->setAttr(mark, attribute);
}

static void lower(affine::AffineLoadOp op) {
  OpBuilder builder(op);
  auto made = memref::LoadOp::create(
      builder, op.getLoc(), op.getMemRef(),
      computeIndices(builder, op, op.getAffineMap(), op.getMapOperands()));
  takeMarks(made, op);
  op.replaceAllUsesWith(made.getResult());
  op.erase();
}

static void lower(affine::AffineStoreOp op) {
  OpBuilder builder(op);
  auto made = memref::StoreOp::create(
      builder, op.getLoc(), op.getValueToStore(), op.getMemRef(),
      computeIndices(builder, op, op.getAffineMap(), op.getMapOperands()));
  takeMarks(made, op);
  op.erase();
}

namespace {

struct LoomLowerAffineAccessesPass
    : legalize::impl::LoomLowerAffineAccessesBase<LoomLowerAffineAccessesPass> {
  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func))
        func.walk([](Operation *op) {
          if (auto load = dyn_cast<affine::AffineLoadOp>(op))
            lower(load);
          else if (auto store = dyn_cast<affine::AffineStoreOp>(op))
            lower(store);
        });
    return success();
  }
};

} // namespace
