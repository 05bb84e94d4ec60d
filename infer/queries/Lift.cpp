//===- Lift.cpp - blocks as branches and loops ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Lift.h"

#include "infer/functions/DiagnosticListener.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace broadloom;

/// Replaces an `scf.index_switch` by its only region.
static void takeDefault(scf::IndexSwitchOp op) {
  IRRewriter rewriter(op);
  Block &only = op.getDefaultBlock();
  auto yield = cast<scf::YieldOp>(only.getTerminator());
  rewriter.inlineBlockBefore(&only, op);
  rewriter.replaceOp(op, yield.getResults());
  rewriter.eraseOp(yield);
}

/// Converts an `scf.index_switch` to a chain of `scf.if`.
static void makeBranches(scf::IndexSwitchOp op) {
  if (op.getCases().empty())
    return takeDefault(op);
  Location loc = op.getLoc();
  OpBuilder b(op);
  scf::IfOp first;
  for (auto [i, value] : llvm::enumerate(op.getCases())) {
    Value number = arith::ConstantIndexOp::create(b, loc, value);
    Value isThis = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         op.getArg(), number);
    auto branch = scf::IfOp::create(b, loc, op.getResultTypes(), isThis,
                                    /*withElseRegion=*/true);
    branch.getThenRegion().takeBody(op.getCaseRegions()[i]);
    if (!first)
      first = branch;
    else
      scf::YieldOp::create(b, loc, branch.getResults());
    if (i + 1 == op.getCases().size()) {
      branch.getElseRegion().takeBody(op.getDefaultRegion());
      continue;
    }
    Block *rest = branch.elseBlock();
    if (rest->mightHaveTerminator())
      rest->getTerminator()->erase();
    b.setInsertionPointToStart(rest);
  }
  op->replaceAllUsesWith(first);
  op->erase();
}

/// Whether `value` is the argument `number` of the loop, as its body sees it.
static bool isLast(scf::WhileOp loop, Value value, unsigned number) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == loop.getAfterBody() &&
         loop.getConditionOp().getArgs()[argument.getArgNumber()] ==
             loop.getBeforeArguments()[number];
}

/// Whether `value` is that argument plus a constant above 0.
static bool isNext(scf::WhileOp loop, Value value, unsigned number) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return false;
  auto isStep = [](Value step) {
    std::optional<int64_t> constant = getConstantIntValue(step);
    return constant && *constant > 0;
  };
  return (isLast(loop, sum.getLhs(), number) && isStep(sum.getRhs())) ||
         (isLast(loop, sum.getRhs(), number) && isStep(sum.getLhs()));
}

/// Whether the loop counts upwards and nothing uses its last index. After an
/// `scf.while` the index is the first that fails the condition, but MLIR's
/// transformation returns the last that satisfies it, and divides by the step.
static bool countsUp(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  for (auto [number, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    if (!llvm::is_contained(compare->getOperands(), argument) ||
        isLast(loop, loop.getYieldOp().getResults()[number], number))
      continue;
    if (!isNext(loop, loop.getYieldOp().getResults()[number], number))
      return false;
    for (auto [passed, result] :
         llvm::zip_equal(condition.getArgs(), loop.getResults()))
      if (passed == argument && !result.use_empty())
        return false;
  }
  return true;
}

/// Converts counting loops to `scf.for`, whose number of iterations is known.
static void countIterations(RewriterBase &rewriter, func::FuncOp func) {
  SmallVector<scf::WhileOp> loops;
  func.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops) {
    if (!countsUp(loop))
      continue;
    rewriter.setInsertionPoint(loop);
    (void)scf::upliftWhileToForLoop(rewriter, loop);
  }
}

/// Converts the blocks of `region` to structured branches and loops; returns
/// whether one block is left.
static bool liftRegion(Region &region, Operation *op) {
  ControlFlowToSCFTransformation transformation;
  DominanceInfo dominance(op);
  return succeeded(transformCFGToSCF(region, transformation, dominance)) &&
         region.hasOneBlock();
}

/// Inlines regions that run once, inner ones first.
static void inlineRegions(RewriterBase &rewriter, func::FuncOp func) {
  SmallVector<scf::ExecuteRegionOp> regions;
  func.walk([&](scf::ExecuteRegionOp op) { regions.push_back(op); });
  for (scf::ExecuteRegionOp op : regions) {
    if (!liftRegion(op.getRegion(), op))
      continue;
    Block &body = op.getRegion().front();
    auto yield = dyn_cast<scf::YieldOp>(body.getTerminator());
    if (!yield)
      continue;
    SmallVector<Value> results = llvm::to_vector(yield.getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(&body, op);
    rewriter.replaceOp(op, results);
  }
}

/// The number of edges in `region` that lead back to a block from which they
/// are reached.
static size_t countBackwardBranches(Region &region) {
  enum class State { OnTheWay, Done };
  llvm::DenseMap<Block *, State> states;
  SmallVector<std::pair<Block *, unsigned>> way{{&region.front(), 0}};
  states[&region.front()] = State::OnTheWay;
  size_t count = 0;
  while (!way.empty()) {
    auto &[block, next] = way.back();
    if (next == block->getNumSuccessors()) {
      states[block] = State::Done;
      way.pop_back();
      continue;
    }
    Block *successor = block->getSuccessor(next++);
    auto [it, isNew] = states.try_emplace(successor, State::OnTheWay);
    if (isNew)
      way.emplace_back(successor, 0);
    else
      count += it->second == State::OnTheWay;
  }
  return count;
}

size_t infer::countBackwardBranches(func::FuncOp func) {
  size_t count = ::countBackwardBranches(func.getBody());
  func.walk([&](scf::ExecuteRegionOp op) {
    count += ::countBackwardBranches(op.getRegion());
  });
  return count;
}

OwningOpRef<func::FuncOp> infer::liftBlocks(func::FuncOp func) {
  auto needsLifting = [](Operation *op) {
    return isa<scf::ExecuteRegionOp, scf::IndexSwitchOp, scf::WhileOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  bool isOneBlock = llvm::hasSingleElement(func.getBody());
  if (isOneBlock && !func.walk(needsLifting).wasInterrupted())
    return {};
  OwningOpRef<func::FuncOp> copy = func.clone();
  // A failure is no error, because the function does not change. The
  // transformation's diagnostics are dropped.
  DiagnosticListener listener(func.getContext());
  IRRewriter rewriter(func.getContext());
  (void)eraseUnreachableBlocks(rewriter, copy->getBody());
  inlineRegions(rewriter, *copy);
  if (!liftRegion(copy->getBody(), *copy))
    return {};
  SmallVector<scf::IndexSwitchOp> switches;
  copy->walk([&](scf::IndexSwitchOp op) { switches.push_back(op); });
  llvm::for_each(switches, makeBranches);
  countIterations(rewriter, *copy);
  return copy;
}
