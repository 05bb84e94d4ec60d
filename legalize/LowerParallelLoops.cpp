//===- LowerParallelLoops.cpp - parallel loops in order -------------------===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERPARALLELLOOPS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Adds `loop`, whose results the last of `loops` yields, and goes on inside of
/// it with the numbers that it carries.
template <typename Loop>
static void enter(RewriterBase &rewriter, Operation *op, Loop loop,
                  SmallVectorImpl<Loop> &loops,
                  SmallVectorImpl<Value> &carried) {
  infer::takeOrigin(loop, op);
  llvm::copy(loop.getRegionIterArgs(), carried.begin());
  if (!loops.empty())
    loops.back().getBody()->getTerminator()->setOperands(loop.getResults());
  rewriter.setInsertionPointToStart(loop.getBody());
  loops.push_back(loop);
}

/// The variables of the loops of `op`, with the locations that its own have:
/// messages name them by these.
template <typename LoopOp>
static SmallVector<Value> getVariables(Operation *op, ArrayRef<LoopOp> loops) {
  SmallVector<Value> variables;
  for (auto [loop, own] : llvm::zip(loops, op->getRegion(0).getArguments())) {
    LoopOp(loop).getInductionVar().setLoc(own.getLoc());
    variables.push_back(LoopOp(loop).getInductionVar());
  }
  return variables;
}

/// Makes the loops of `op`, one in another, outermost first. All of them carry
/// `carried`, and yield it as it is.
static SmallVector<scf::ForOp> makeLoops(RewriterBase &rewriter, Operation *op,
                                         ValueRange firsts, ValueRange bounds,
                                         ValueRange steps,
                                         SmallVector<Value> carried) {
  SmallVector<scf::ForOp> loops;
  for (auto [first, bound, step] : llvm::zip_equal(firsts, bounds, steps)) {
    auto loop = scf::ForOp::create(
        rewriter, op->getLoc(), first, bound, step, carried,
        [](OpBuilder &b, Location loc, Value, ValueRange values) {
          scf::YieldOp::create(b, loc, values);
        });
    enter(rewriter, op, loop, loops, carried);
  }
  return loops;
}

/// Moves what combines `carried` with the operands of `reduce` before it.
/// Returns the combined values.
static SmallVector<Value> combine(RewriterBase &rewriter, scf::ReduceOp reduce,
                                  ValueRange carried) {
  SmallVector<Value> combined;
  for (auto [before, term, region] :
       llvm::zip_equal(carried, reduce.getOperands(), reduce.getReductions())) {
    Block &body = region.front();
    auto result = cast<scf::ReduceReturnOp>(body.getTerminator());
    rewriter.inlineBlockBefore(&body, reduce, {before, term});
    combined.push_back(result.getResult());
    rewriter.eraseOp(result);
  }
  return combined;
}

static void makeSequential(scf::ParallelOp op) {
  IRRewriter rewriter(op);
  SmallVector<scf::ForOp> loops =
      makeLoops(rewriter, op, op.getLowerBound(), op.getUpperBound(),
                op.getStep(), op.getInitVals());
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  // Without axes, which `affine.parallel` may be, the body runs once.
  if (loops.empty()) {
    rewriter.inlineBlockBefore(op.getBody(), op);
    rewriter.replaceOp(op, combine(rewriter, reduce, op.getInitVals()));
    rewriter.eraseOp(reduce);
    return;
  }
  SmallVector<Value> indices = getVariables(op, ArrayRef(loops));
  scf::ForOp innermost = loops.back();
  Operation *yield = innermost.getBody()->getTerminator();
  rewriter.inlineBlockBefore(op.getBody(), yield, indices);
  yield->setOperands(combine(rewriter, reduce, innermost.getRegionIterArgs()));
  rewriter.eraseOp(reduce);
  rewriter.replaceOp(op, loops.front().getResults());
}

/// Of a loop over memory, which gives nothing.
static void makeSequential(scf::ForallOp op) {
  IRRewriter rewriter(op);
  SmallVector<scf::ForOp> loops =
      makeLoops(rewriter, op, op.getLowerBound(rewriter),
                op.getUpperBound(rewriter), op.getStep(rewriter), {});
  rewriter.eraseOp(op.getBody()->getTerminator());
  SmallVector<Value> indices = getVariables(op, ArrayRef(loops));
  rewriter.inlineBlockBefore(op.getBody(),
                             loops.back().getBody()->getTerminator(), indices);
  rewriter.eraseOp(op);
}

static arith::AtomicRMWKind getKind(Attribute reduction) {
  return cast<arith::AtomicRMWKindAttr>(reduction).getValue();
}

/// What each result of `op` is before the first iteration. Fails, with an
/// error, if there is no such number.
static FailureOr<SmallVector<Value>>
makeIdentities(RewriterBase &rewriter, affine::AffineParallelOp op) {
  SmallVector<Value> values;
  for (auto [reduction, type] :
       llvm::zip_equal(op.getReductions(), op.getResultTypes())) {
    TypedAttr value = arith::getIdentityValueAttr(getKind(reduction), type,
                                                  rewriter, op.getLoc());
    if (!value)
      return failure();
    values.push_back(arith::ConstantOp::create(rewriter, op.getLoc(), value));
  }
  return values;
}

/// Makes an `affine.for` for each axis of `op`, the first one outermost. All of
/// them carry `carried`, which becomes that of the innermost one.
static SmallVector<affine::AffineForOp>
makeLoops(RewriterBase &rewriter, affine::AffineParallelOp op,
          SmallVectorImpl<Value> &carried) {
  SmallVector<affine::AffineForOp> loops;
  for (unsigned axis : llvm::seq(op.getNumDims())) {
    auto loop = affine::AffineForOp::create(
        rewriter, op.getLoc(), op.getLowerBoundsOperands(),
        op.getLowerBoundMap(axis), op.getUpperBoundsOperands(),
        op.getUpperBoundMap(axis), op.getSteps()[axis], carried,
        [](OpBuilder &b, Location loc, Value, ValueRange values) {
          affine::AffineYieldOp::create(b, loc, values);
        });
    enter(rewriter, op, loop, loops, carried);
  }
  return loops;
}

static LogicalResult makeSequential(affine::AffineParallelOp op) {
  IRRewriter rewriter(op);
  FailureOr<SmallVector<Value>> carried = makeIdentities(rewriter, op);
  if (failed(carried))
    return failure();
  SmallVector<affine::AffineForOp> loops = makeLoops(rewriter, op, *carried);
  Operation *yield = op.getBody()->getTerminator();
  SmallVector<Value> combined;
  rewriter.setInsertionPoint(yield);
  for (auto [reduction, before, term] :
       llvm::zip_equal(op.getReductions(), *carried, yield->getOperands()))
    combined.push_back(arith::getReductionOp(getKind(reduction), rewriter,
                                             op.getLoc(), before, term));
  if (llvm::is_contained(combined, Value()))
    return failure();
  rewriter.eraseOp(yield);
  // Without axes, the body runs once.
  if (loops.empty()) {
    rewriter.inlineBlockBefore(op.getBody(), op);
    rewriter.replaceOp(op, combined);
    return success();
  }
  SmallVector<Value> indices = getVariables(op, ArrayRef(loops));
  Operation *last = loops.back().getBody()->getTerminator();
  last->setOperands(combined);
  rewriter.inlineBlockBefore(op.getBody(), last, indices);
  rewriter.replaceOp(op, loops.front().getResults());
  return success();
}

namespace {

struct LoomLowerParallelLoopsPass
    : legalize::impl::LoomLowerParallelLoopsBase<LoomLowerParallelLoopsPass> {
  LogicalResult apply(ModuleOp module) override {
    SmallVector<Operation *> loops;
    module.walk([&](Operation *op) {
      auto forall = dyn_cast<scf::ForallOp>(op);
      if (isa<scf::ParallelOp, affine::AffineParallelOp>(op) ||
          (forall && forall.getOutputs().empty() && loom::isOverMemory(op)))
        loops.push_back(op);
    });
    for (Operation *op : loops)
      if (auto loop = dyn_cast<scf::ParallelOp>(op))
        makeSequential(loop);
      else if (auto loop = dyn_cast<scf::ForallOp>(op))
        makeSequential(loop);
      else if (failed(makeSequential(cast<affine::AffineParallelOp>(op))))
        return failure();
    return success();
  }
};

} // namespace
