//===- ShiftsBeyond.cpp - shifts by the width and more --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/ShiftsBeyond.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;

static bool isArithmetic(Operation *op) {
  return isa<arith::ShRSIOp, index::ShrSOp>(op);
}

static bool isShift(Operation *op) {
  return isArithmetic(op) ||
         isa<arith::ShLIOp, arith::ShRUIOp, index::ShlOp, index::ShrUOp>(op);
}

/// Whether an amount is a constant below `width`, or at most one.
static bool isBelow(Value amount, unsigned width) {
  APInt constant;
  if (auto least = amount.getDefiningOp<arith::MinUIOp>())
    amount = least.getRhs();
  return matchPattern(amount, m_ConstantInt(&constant)) && constant.ult(width);
}

/// Whether every user of `shift` selects it only if the amount is in range.
static bool isChosen(Operation *shift, unsigned width) {
  return llvm::all_of(shift->getUsers(), [&](Operation *user) {
    auto select = dyn_cast<arith::SelectOp>(user);
    auto inRange =
        select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    APInt end;
    return inRange && select.getFalseValue() != shift->getResult(0) &&
           inRange.getPredicate() == arith::CmpIPredicate::ult &&
           inRange.getLhs() == shift->getOperand(1) &&
           matchPattern(inRange.getRhs(), m_ConstantInt(&end)) &&
           end.ule(width);
  });
}

bool scalar::defineShift(Operation *op) {
  if (!isShift(op) || !op->getResult(0).getType().isIntOrIndex())
    return false;
  Type type = op->getResult(0).getType();
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  Value amount = op->getOperand(1);
  if (isBelow(amount, width) || isChosen(op, width))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto make = [&](unsigned value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, APInt(width, value)));
  };
  bool isKnown = matchPattern(amount, m_Constant());
  if (isArithmetic(op)) {
    Value last = make(width - 1);
    op->setOperand(
        1, isKnown ? last : arith::MinUIOp::create(builder, loc, amount, last));
    return false;
  }
  if (isKnown) {
    op->replaceAllUsesWith(ValueRange(make(0)));
    op->erase();
    return true;
  }
  Value inRange = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        amount, make(width));
  Value none = make(0);
  builder.setInsertionPointAfter(op);
  auto chosen =
      arith::SelectOp::create(builder, loc, inRange, op->getResult(0), none);
  op->getResult(0).replaceAllUsesExcept(chosen, chosen);
  return false;
}
