//===- NormalizeBlocks.cpp - blocks as upstream's passes expect them ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMNORMALIZEBLOCKS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Replaces all yields of the region by branches to a new block with a single
/// yield.
static void mergeYields(scf::ExecuteRegionOp op) {
  SmallVector<scf::YieldOp> yields;
  for (Block &block : op.getRegion())
    if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
      yields.push_back(yield);
  if (yields.size() < 2)
    return;
  OpBuilder b(op.getContext());
  SmallVector<Location> locations(op->getNumResults(), op.getLoc());
  Block *end = b.createBlock(&op.getRegion(), op.getRegion().end(),
                             op->getResultTypes(), locations);
  scf::YieldOp::create(b, op.getLoc(), end->getArguments());
  for (scf::YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    cf::BranchOp::create(b, yield.getLoc(), end, yield.getOperands());
    yield.erase();
  }
}

/// Makes a branch of a switch without cases, of which upstream's translation
/// reads the numbers that it has not.
static void branchToDefault(cf::SwitchOp op) {
  if (!op.getCaseDestinations().empty())
    return;
  OpBuilder b(op);
  cf::BranchOp::create(b, op.getLoc(), op.getDefaultDestination(),
                       op.getDefaultOperands());
  op.erase();
}

namespace {

struct LoomNormalizeBlocksPass
    : legalize::impl::LoomNormalizeBlocksBase<LoomNormalizeBlocksPass> {
  LogicalResult apply(ModuleOp module) override {
    IRRewriter rewriter(module.getContext());
    (void)eraseUnreachableBlocks(rewriter, module->getRegions());
    module.walk([](scf::ExecuteRegionOp op) { mergeYields(op); });
    module.walk([](cf::SwitchOp op) { branchToDefault(op); });
    return success();
  }
};

} // namespace
