//===- LowerAffine.cpp - loops and branches of affine ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps of a loop or a branch are computed before it, so that upstream's
// patterns find values and have no maps to expand.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "lower/Passes.h"
#include "scalar/AffineExpansion.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMLOWERAFFINE
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

/// One expression over the operands of `op`; divisions by a value stay after
/// their guards.
static Value compute(OpBuilder &builder, Location loc, AffineExpr expression,
                     unsigned numDims, unsigned numSymbols,
                     ValueRange operands) {
  if (scalar::hasOpenDivision(expression))
    return scalar::expandAffine(builder, loc, expression, numDims, operands);
  AffineMap map = AffineMap::get(numDims, numSymbols, expression);
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

/// The least or the greatest result of a map.
template <typename MapOp, typename OpT>
static Value choose(OpBuilder &builder, Location loc, AffineMap map,
                    ValueRange operands) {
  if (llvm::any_of(map.getResults(), scalar::hasOpenDivision))
    return scalar::expandAffineMap<OpT>(builder, loc, map, operands);
  if (map.getNumResults() != 1)
    return MapOp::create(builder, loc, map, operands);
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

static Value chooseLower(OpBuilder &builder, Location loc, AffineMap map,
                         ValueRange operands) {
  return choose<affine::AffineMaxOp, arith::MaxSIOp>(builder, loc, map,
                                                     operands);
}

static Value chooseUpper(OpBuilder &builder, Location loc, AffineMap map,
                         ValueRange operands) {
  return choose<affine::AffineMinOp, arith::MinSIOp>(builder, loc, map,
                                                     operands);
}

/// As many symbols as there are values.
static SmallVector<AffineExpr> makeSymbols(MLIRContext *context, size_t count) {
  return llvm::map_to_vector(llvm::seq<unsigned>(count), [&](unsigned i) {
    return getAffineSymbolExpr(i, context);
  });
}

static AffineMap makeSymbolMap(MLIRContext *context, size_t count) {
  return AffineMap::get(0, count, makeSymbols(context, count), context);
}

static void computeBefore(affine::AffineForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  AffineMap symbol = makeSymbolMap(loop.getContext(), 1);
  if (!loop.hasConstantLowerBound())
    loop.setLowerBound(chooseLower(builder, loc, loop.getLowerBoundMap(),
                                   loop.getLowerBoundOperands()),
                       symbol);
  if (!loop.hasConstantUpperBound())
    loop.setUpperBound(chooseUpper(builder, loc, loop.getUpperBoundMap(),
                                   loop.getUpperBoundOperands()),
                       symbol);
}

static void computeBefore(affine::AffineIfOp branch) {
  OpBuilder builder(branch);
  IntegerSet set = branch.getIntegerSet();
  SmallVector<Value> values;
  for (AffineExpr expression : set.getConstraints())
    values.push_back(compute(builder, branch.getLoc(), expression,
                             set.getNumDims(), set.getNumSymbols(),
                             branch->getOperands()));
  branch.setConditional(
      IntegerSet::get(0, values.size(),
                      makeSymbols(branch.getContext(), values.size()),
                      set.getEqFlags()),
      values);
}

namespace {

struct LoomLowerAffinePass
    : lower::impl::LoomLowerAffineBase<LoomLowerAffinePass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto loop = dyn_cast<affine::AffineForOp>(op))
        computeBefore(loop);
      else if (auto branch = dyn_cast<affine::AffineIfOp>(op))
        computeBefore(branch);
    });
    // The patterns keep the bodies of loops, and no attributes.
    llvm::DenseMap<Block *, Attribute> names;
    getOperation().walk([&](affine::AffineForOp loop) {
      if (Attribute name = loop->getAttr(loom::kLoopName))
        names[loop.getBody()] = name;
    });
    RewritePatternSet patterns(&getContext());
    populateAffineToStdConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<affine::AffineForOp, affine::AffineIfOp,
                  affine::AffineYieldOp>(op);
    });
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      return signalPassFailure();
    getOperation().walk([&](scf::ForOp loop) {
      if (Attribute name = names.lookup(loop.getBody()))
        loop->setAttr(loom::kLoopName, name);
    });
  }
};

} // namespace
