//===- DefineWords.cpp - index arithmetic that upstream leaves open -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/DefineWords.h"

#include "scalar/AffineExpansion.h"
#include "scalar/ShiftsBeyond.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace broadloom;

/// Upstream's lowering of `index` negates the dividend.
template <typename To> static void divideInArith(Operation *op) {
  OpBuilder builder(op);
  auto made =
      To::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1));
  op->replaceAllUsesWith(made);
  op->erase();
}

/// Expands maps with a divisor that is a value: the divisions must stay after
/// their guards, and a map may be moved.
template <typename OpT, typename MapOp> static void expandDivisions(MapOp op) {
  AffineMap map = op.getAffineMap();
  if (llvm::none_of(map.getResults(), scalar::hasOpenDivision))
    return;
  OpBuilder builder(op);
  op->getResult(0).replaceAllUsesWith(scalar::expandAffineMap<OpT>(
      builder, op.getLoc(), map, op->getOperands()));
  op->erase();
}

/// Computes the digits from the last one on: each is the remainder of a
/// division by its base.
static void expand(affine::AffineDelinearizeIndexOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  AffineExpr index = getAffineDimExpr(0, context),
             base = getAffineSymbolExpr(0, context);
  SmallVector<OpFoldResult> basis = op.getEffectiveBasis();
  SmallVector<Value> digits(op.getNumResults());
  Value rest = op.getLinearIndex();
  for (size_t i = basis.size(); i > 0; --i) {
    Value by = getValueOrCreateConstantIndexOp(builder, loc, basis[i - 1]);
    digits[digits.size() - 1 - (basis.size() - i)] =
        scalar::expandAffine(builder, loc, index % base, 1, {rest, by});
    rest =
        scalar::expandAffine(builder, loc, index.floorDiv(base), 1, {rest, by});
  }
  if (!digits.empty())
    digits.front() = rest;
  op->replaceAllUsesWith(digits);
  op->erase();
}

static void expand(affine::AffineLinearizeIndexOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value sum;
  SmallVector<OpFoldResult> basis = op.getEffectiveBasis();
  for (auto [i, digit] : llvm::enumerate(op.getMultiIndex())) {
    if (i == 0) {
      sum = digit;
      continue;
    }
    Value by = getValueOrCreateConstantIndexOp(builder, loc, basis[i - 1]);
    sum = arith::MulIOp::create(builder, loc, sum, by);
    sum = arith::AddIOp::create(builder, loc, sum, digit);
  }
  if (!sum)
    sum = arith::ConstantIndexOp::create(builder, loc, 0);
  op->replaceAllUsesWith(ValueRange(sum));
  op->erase();
}

void legalize::defineWords(Operation *op) {
  if (isa<index::CeilDivSOp>(op))
    divideInArith<arith::CeilDivSIOp>(op);
  else if (isa<index::FloorDivSOp>(op))
    divideInArith<arith::FloorDivSIOp>(op);
  else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    expandDivisions<arith::MinSIOp>(apply);
  else if (auto least = dyn_cast<affine::AffineMinOp>(op))
    expandDivisions<arith::MinSIOp>(least);
  else if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
    expandDivisions<arith::MaxSIOp>(greatest);
  else if (auto digits = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    expand(digits);
  else if (auto linear = dyn_cast<affine::AffineLinearizeIndexOp>(op))
    expand(linear);
  else
    scalar::defineShift(op);
}
