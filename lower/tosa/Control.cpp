//===- Control.cpp - branches and loops of TOSA ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Control.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace broadloom;

/// The only element of a condition.
static Value readCondition(OpBuilder &b, Location loc, Value condition) {
  SmallVector<Value> first;
  auto type = cast<TensorType>(condition.getType());
  if (!type.hasRank())
    condition = tensor::CastOp::create(
        b, loc, RankedTensorType::get({}, type.getElementType()), condition);
  else if (type.getRank() != 0)
    first.assign(type.getRank(), arith::ConstantIndexOp::create(b, loc, 0));
  return tensor::ExtractOp::create(b, loc, condition, first);
}

static tosa::YieldOp getYield(Region &region) {
  return cast<tosa::YieldOp>(region.front().getTerminator());
}

static void replaceYield(RewriterBase &rewriter, Region &region) {
  tosa::YieldOp yield = getYield(region);
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield.getOperands());
}

static void lower(RewriterBase &rewriter, tosa::IfOp op) {
  Value condition = readCondition(rewriter, op.getLoc(), op.getCondition());
  auto branch =
      scf::IfOp::create(rewriter, op.getLoc(), op.getResultTypes(), condition,
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getThenGraph());
  branch.getElseRegion().takeBody(op.getElseGraph());
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Block &block = region->front();
    rewriter.replaceAllUsesWith(block.getArguments(), op.getInputList());
    block.eraseArguments(0, block.getNumArguments());
    replaceYield(rewriter, *region);
  }
  rewriter.replaceOp(op, branch);
}

static void lower(RewriterBase &rewriter, tosa::WhileOp op) {
  auto loop = scf::WhileOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                   op.getInputList());
  loop.getBefore().takeBody(op.getCondGraph());
  loop.getAfter().takeBody(op.getBodyGraph());
  tosa::YieldOp decision = getYield(loop.getBefore());
  rewriter.setInsertionPoint(decision);
  Value condition =
      readCondition(rewriter, decision.getLoc(), decision.getOperand(0));
  rewriter.replaceOpWithNewOp<scf::ConditionOp>(
      decision, condition, loop.getBefore().getArguments());
  replaceYield(rewriter, loop.getAfter());
  rewriter.replaceOp(op, loop);
}

void lower::lowerControl(ModuleOp module) {
  SmallVector<Operation *> work;
  module.walk([&](Operation *op) {
    if (isa<tosa::IfOp, tosa::WhileOp>(op))
      work.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : work) {
    rewriter.setInsertionPoint(op);
    if (auto branch = dyn_cast<tosa::IfOp>(op))
      ::lower(rewriter, branch);
    else
      ::lower(rewriter, cast<tosa::WhileOp>(op));
  }
}
