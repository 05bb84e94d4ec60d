//===- LinalgToLoops.cpp - loops of what is still of linalg ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass rewrites greedily, which also merges equal blocks of the
// function. Locations do not count for that: of two equal guards on two
// branches one is left, and its message may have the line of the other.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMLINALGTOLOOPS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

/// Replaces each `affine.apply` whose result is a loop's index or a constant by
/// that.
static void foldTrivialIndices(func::FuncOp func, RewriterBase &rewriter) {
  SmallVector<affine::AffineApplyOp> applies;
  func.walk([&](affine::AffineApplyOp apply) { applies.push_back(apply); });
  for (affine::AffineApplyOp apply : applies) {
    AffineMap map = apply.getAffineMap();
    AffineExpr index = map.getResult(0);
    rewriter.setInsertionPoint(apply);
    if (auto constant = dyn_cast<AffineConstantExpr>(index))
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(apply,
                                                          constant.getValue());
    else if (auto loop = dyn_cast<AffineDimExpr>(index))
      rewriter.replaceOp(apply, apply.getDimOperands()[loop.getPosition()]);
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(index))
      rewriter.replaceOp(apply,
                         apply.getSymbolOperands()[symbol.getPosition()]);
  }
}

/// Erases unused loads: loops load every operand, even results that they only
/// overwrite.
static void eraseUnusedLoads(func::FuncOp func, RewriterBase &rewriter) {
  SmallVector<memref::LoadOp> loads;
  func.walk([&](memref::LoadOp load) {
    if (load->use_empty())
      loads.push_back(load);
  });
  for (memref::LoadOp load : loads)
    rewriter.eraseOp(load);
}

/// Runs the outermost loop of a nest only if no inner loop is empty: for 2^50
/// rows without columns it would not end.
static void skipEmptyNest(ArrayRef<Operation *> loops, RewriterBase &rewriter) {
  auto outer =
      loops.size() > 1 ? dyn_cast<scf::ForOp>(loops.front()) : scf::ForOp();
  if (!outer)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(outer);
  Location loc = outer.getLoc();
  Value isEmpty;
  for (Operation *loop : loops.drop_front()) {
    auto inner = dyn_cast<scf::ForOp>(loop);
    Operation *end = inner ? inner.getUpperBound().getDefiningOp() : nullptr;
    if (!end || matchPattern(end, m_Constant()) || outer->isAncestor(end))
      continue;
    Value none =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle,
                              inner.getUpperBound(), outer.getLowerBound());
    isEmpty = isEmpty
                  ? Value(arith::OrIOp::create(rewriter, loc, isEmpty, none))
                  : none;
  }
  if (isEmpty)
    outer.getUpperBoundMutable().assign(arith::SelectOp::create(
        rewriter, loc, isEmpty, outer.getLowerBound(), outer.getUpperBound()));
}

namespace {

struct LoomLinalgToLoopsPass
    : codegen::impl::LoomLinalgToLoopsBase<LoomLinalgToLoopsPass> {
  using LoomLinalgToLoopsBase::LoomLinalgToLoopsBase;

  void runOnOperation() override {
    if (ofMemory && !loom::isOverMemory(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> ops;
    // What a function over memory computes of tensors becomes no loops in it.
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!ofMemory || op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (!op.hasPureBufferSemantics()) {
        op.emitOpError("has tensors, but loops are made of memory; bufferize "
                       "the program first");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitOpError("has no form as loops");
        return signalPassFailure();
      }
      skipEmptyNest(*loops, rewriter);
      rewriter.eraseOp(op);
    }
    foldTrivialIndices(getOperation(), rewriter);
    eraseUnusedLoads(getOperation(), rewriter);
  }
};

} // namespace
