//===- LowerParallelLoops.cpp - scf.parallel as loops ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LowerParallelLoops.h"

#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOWERPARALLELLOOPS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Makes the loops of `op`, one in another, outermost first. All of them carry
/// `carried`, and yield it as it is.
static SmallVector<scf::ForOp> makeLoops(RewriterBase &rewriter,
                                         scf::ParallelOp op) {
  SmallVector<Value> carried(op.getInitVals());
  SmallVector<scf::ForOp> loops;
  for (auto [first, bound, step] :
       llvm::zip_equal(op.getLowerBound(), op.getUpperBound(), op.getStep())) {
    auto loop = scf::ForOp::create(
        rewriter, op.getLoc(), first, bound, step, carried,
        [](OpBuilder &b, Location loc, Value, ValueRange values) {
          scf::YieldOp::create(b, loc, values);
        });
    infer::takeOrigin(loop, op);
    llvm::copy(loop.getRegionIterArgs(), carried.begin());
    rewriter.setInsertionPointToStart(loop.getBody());
    loops.push_back(loop);
  }
  for (unsigned i = 1; i < loops.size(); ++i)
    loops[i - 1].getBody()->getTerminator()->setOperands(loops[i].getResults());
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
  SmallVector<scf::ForOp> loops = makeLoops(rewriter, op);
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  // Without axes, which `affine.parallel` may be, the body runs once.
  if (loops.empty()) {
    rewriter.inlineBlockBefore(op.getBody(), op);
    rewriter.replaceOp(op, combine(rewriter, reduce, op.getInitVals()));
    rewriter.eraseOp(reduce);
    return;
  }
  SmallVector<Value> indices;
  for (scf::ForOp loop : loops)
    indices.push_back(loop.getInductionVar());
  scf::ForOp innermost = loops.back();
  Operation *yield = innermost.getBody()->getTerminator();
  rewriter.inlineBlockBefore(op.getBody(), yield, indices);
  yield->setOperands(combine(rewriter, reduce, innermost.getRegionIterArgs()));
  rewriter.eraseOp(reduce);
  rewriter.replaceOp(op, loops.front().getResults());
}

void legalize::lowerParallelLoops(ModuleOp module) {
  SmallVector<scf::ParallelOp> loops;
  module.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, makeSequential);
}

namespace {

struct LoomLowerParallelLoopsPass
    : legalize::impl::LoomLowerParallelLoopsBase<LoomLowerParallelLoopsPass> {
  LogicalResult apply(ModuleOp module) override {
    legalize::lowerParallelLoops(module);
    return success();
  }
};

} // namespace
