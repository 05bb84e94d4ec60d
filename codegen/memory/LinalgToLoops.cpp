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

#include "codegen/LinalgAttributes.h"
#include "codegen/Passes.h"
#include "codegen/memory/ApartMemory.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMLINALGTOLOOPS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

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

/// What the loads and stores of a nest access.
static NestMemory findMemory(Operation *nest) {
  NestMemory memory;
  nest->walk([&](Operation *op) {
    if (Value accessed = getAccessedMemory(op))
      memory[accessed] |= isa<memref::StoreOp>(op);
  });
  return memory;
}

/// Moves what does not change in a loop, which has an iteration, in front of
/// it: arithmetic, loads of memory that the nest does not write, and guards. A
/// guard in front of which another stays, stays too, so that the first one that
/// fails is told; and what is behind it may rely on it.
static void hoist(scf::ForOp loop, const NestMemory &memory) {
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
    bool isGuard = isa<loom::RequireOp>(op);
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isSame = llvm::all_of(op.getOperands(), [&](Value value) {
      return loop.isDefinedOutsideOfLoop(value);
    });
    bool canMove = isGuard || (load && !memory.lookup(load.getMemRef())) ||
                   (op.getNumRegions() == 0 && isPure(&op));
    if (isSame && canMove && !op.hasTrait<OpTrait::IsTerminator>()) {
      loop.moveOutOfLoop(&op);
      continue;
    }
    bool mayFail = isGuard;
    for (Region &region : op.getRegions())
      region.walk([&](loom::RequireOp) { mayFail = true; });
    if (mayFail)
      return;
  }
}

/// Whether the loop has an iteration where the outermost one, `outer`, has: see
/// skipEmptyNest.
static bool hasIteration(scf::ForOp loop, Operation *outer) {
  Operation *end = loop.getUpperBound().getDefiningOp();
  if (std::optional<int64_t> known = getConstantIntValue(loop.getUpperBound()))
    return *known > 0;
  return end && !outer->isAncestor(end);
}

/// Of loops that write memory of their own: tells LLVM that no other is
/// written, and leaves in each loop what changes there.
static void useApart(ArrayRef<Operation *> loops) {
  if (loops.empty())
    return;
  NestMemory memory = findMemory(loops.front());
  for (Operation *loop : llvm::reverse(loops.drop_front()))
    if (auto inner = dyn_cast<scf::ForOp>(loop);
        inner && hasIteration(inner, loops.front()))
      hoist(inner, memory);
  markApart(loops.front(), memory, [](Value memref) { return memref; });
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
    SmallVector<linalg::LinalgLoops> nests;
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
      if (op->hasAttr(kWritesApart))
        nests.push_back(*loops);
      rewriter.eraseOp(op);
    }
    foldTrivialIndices(getOperation(), rewriter);
    eraseUnusedLoads(getOperation(), rewriter);
    for (const linalg::LinalgLoops &nest : nests)
      useApart(nest);
  }
};

} // namespace
