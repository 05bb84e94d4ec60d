//===- IntegerDivision.cpp - integer divisions of programs ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::scalar;

DivisionKind scalar::getDivisionKind(Operation *op) {
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, index::DivSOp, index::RemSOp, index::CeilDivSOp,
          index::FloorDivSOp>(op))
    return DivisionKind::Signed;
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp,
          index::RemUOp, index::CeilDivUOp>(op))
    return DivisionKind::Unsigned;
  return DivisionKind::None;
}

bool scalar::hasSafeDivisor(Operation *division) {
  APInt divisor;
  if (!matchPattern(division->getOperand(1), m_ConstantInt(&divisor)))
    return false;
  bool isSigned = getDivisionKind(division) == DivisionKind::Signed;
  return !divisor.isZero() && !(isSigned && divisor.isAllOnes());
}

Value scalar::makeTrapCondition(OpBuilder &builder, Operation *division) {
  Location loc = division->getLoc();
  Value dividend = division->getOperand(0), divisor = division->getOperand(1);
  Type type = divisor.getType();
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  auto equals = [&](Value value, const APInt &number) -> Value {
    Value constant = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(type, number));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constant);
  };
  Value isZero = equals(divisor, APInt(width, 0));
  // The only divisor of one bit other than 0 divides every number.
  if (getDivisionKind(division) != DivisionKind::Signed || width == 1)
    return isZero;
  Value isLeast = equals(dividend, APInt::getSignedMinValue(width));
  Value isMinusOne = equals(divisor, APInt::getAllOnes(width));
  Value overflows = arith::AndIOp::create(builder, loc, isLeast, isMinusOne);
  return arith::OrIOp::create(builder, loc, isZero, overflows);
}

void scalar::makeDivisionSafe(Operation *op) {
  if (getDivisionKind(op) == DivisionKind::None || hasSafeDivisor(op))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value divisor = op->getOperand(1);
  Value traps = makeTrapCondition(builder, op);
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(divisor.getType(), 1));
  op->setOperand(1, arith::SelectOp::create(builder, loc, traps, one, divisor));
}
