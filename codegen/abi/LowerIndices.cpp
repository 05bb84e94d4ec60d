//===- LowerIndices.cpp - index arithmetic and loops that end -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's lowerings assume that nothing overflows 64 bits. A product of an
// affine map gets the flag `nsw`, by which LLVM may simplify guards on numbers
// computed from it (scalar/AffineExpansion.h sets no flag); and a loop compares
// the sum of index and step with its end, so that it continues if that sum
// wraps. The analysis assumes that products wrap, and that a loop ends before
// its upper bound.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "dialect/LoomDialect.h"
#include "infer/queries/ShapeQuery.h"
#include "scalar/AffineExpansion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMLOWERINDICES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

/// Expands the map to its only result, or to the minimum or maximum of its
/// results by `OpT`.
template <typename OpT, typename MapOp> static void expand(MapOp op) {
  OpBuilder builder(op);
  op->getResult(0).replaceAllUsesWith(scalar::expandAffineMap<OpT>(
      builder, op.getLoc(), op.getAffineMap(), op->getOperands()));
  op->erase();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The start of a loop, its step, and its number of iterations.
struct Rounds {
  Value first, step, count;
};

/// (upper - lower - 1) / step + 1 iterations, none if `lower` is not less than
/// `upper`. Nothing wraps, because the difference fits an unsigned number.
static Rounds countRounds(OpBuilder &builder, Location loc, Value lower,
                          Value upper, Value step, bool isUnsigned) {
  Type type = lower.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value one = constant(1);
  // A loop that is not reached may have any step.
  if (!getConstantIntValue(step))
    step = arith::MaxUIOp::create(builder, loc, step, one);
  Value isRun = arith::CmpIOp::create(builder, loc,
                                      isUnsigned ? arith::CmpIPredicate::ult
                                                 : arith::CmpIPredicate::slt,
                                      lower, upper);
  Value span = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, span, one);
  Value whole = arith::DivUIOp::create(builder, loc, last, step);
  Value rounds = arith::AddIOp::create(builder, loc, whole, one);
  return {lower, step,
          arith::SelectOp::create(builder, loc, isRun, rounds, constant(0))};
}

/// Makes `index` count iterations, and computes the old index for its users.
static void countInstead(BlockArgument index, const Rounds &rounds) {
  OpBuilder builder = OpBuilder::atBlockBegin(index.getOwner());
  Location loc = index.getLoc();
  Value offset = arith::MulIOp::create(builder, loc, index, rounds.step);
  Value value = arith::AddIOp::create(builder, loc, rounds.first, offset);
  index.replaceAllUsesExcept(value, offset.getDefiningOp());
}

/// With a step of 1 the index reaches the end exactly.
static bool meetsEnd(Value step) { return getConstantIntValue(step) == 1; }

static Value makeConstant(OpBuilder &builder, Location loc, Type type,
                          int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

static void endBeforeBound(scf::ForOp loop) {
  if (meetsEnd(loop.getStep()))
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  Rounds rounds =
      countRounds(builder, loc, loop.getLowerBound(), loop.getUpperBound(),
                  loop.getStep(), loop.getUnsignedCmp());
  loop.setLowerBound(makeConstant(builder, loc, type, 0));
  loop.setUpperBound(rounds.count);
  loop.setStep(makeConstant(builder, loc, type, 1));
  loop.setUnsignedCmp(true);
  countInstead(cast<BlockArgument>(loop.getInductionVar()), rounds);
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// Upstream truncates the argument of a switch and the numbers of its cases to
/// 32 bits. So this compares all 64 bits, and the switch selects by the
/// position of the case.
static void chooseByCase(scf::IndexSwitchOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> cases(op.getCases());
  auto constant = [&](int64_t value) {
    return makeConstant(builder, loc, builder.getIndexType(), value);
  };
  Value number = constant(int64_t(cases.size()));
  for (auto [i, wanted] : llvm::enumerate(cases)) {
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         op.getArg(), constant(wanted));
    number = arith::SelectOp::create(builder, loc, isThis, constant(int64_t(i)),
                                     number);
    wanted = int64_t(i);
  }
  op.setCases(cases);
  op.getArgMutable().assign(number);
}

//===----------------------------------------------------------------------===//
// Loops of shape queries
//===----------------------------------------------------------------------===//

/// A shape query ends even if the program does not: a loop in it fails after a
/// number of iterations.
static void limitIterations(scf::WhileOp loop) {
  constexpr int64_t kMaxIterations = int64_t(1) << 24;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Type index = builder.getIndexType();
  SmallVector<Value> inits = llvm::to_vector(loop.getInits());
  inits.push_back(makeConstant(builder, loc, index, 0));
  SmallVector<Type> types = llvm::to_vector(loop.getResultTypes());
  types.push_back(index);
  auto made = scf::WhileOp::create(builder, loc, types, inits);
  made.getBefore().takeBody(loop.getBefore());
  made.getAfter().takeBody(loop.getAfter());

  Value iteration = made.getBefore().addArgument(index, loc);
  scf::ConditionOp condition = made.getConditionOp();
  builder.setInsertionPoint(condition);
  Value isFew =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iteration,
                            makeConstant(builder, loc, index, kMaxIterations));
  loom::RequireOp::create(
      builder, loc, isFew, builder.getStringAttr("scf.while"),
      builder.getStringAttr(
          "the loop takes more than {0} iterations, which are not "
          "followed to tell shapes"),
      builder.getI64IntegerAttr(-1), iteration);
  condition.getArgsMutable().append(iteration);

  Value passed = made.getAfter().addArgument(index, loc);
  scf::YieldOp yield = made.getYieldOp();
  builder.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(builder, loc, passed,
                                     makeConstant(builder, loc, index, 1));
  yield.getResultsMutable().append(next);
  loop.replaceAllUsesWith(made.getResults().drop_back());
  loop.erase();
}

namespace {

struct LoomLowerIndicesPass
    : codegen::impl::LoomLowerIndicesBase<LoomLowerIndicesPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
        expand<arith::MinSIOp>(apply);
      else if (auto least = dyn_cast<affine::AffineMinOp>(op))
        expand<arith::MinSIOp>(least);
      else if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
        expand<arith::MaxSIOp>(greatest);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        endBeforeBound(loop);
      else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
        chooseByCase(choice);
    });
    SmallVector<scf::WhileOp> loops;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (infer::readShapeQuery(func))
        func.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    llvm::for_each(loops, limitIterations);
  }
};

} // namespace
