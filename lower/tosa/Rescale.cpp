//===- Rescale.cpp - rescaling with multipliers that are arguments --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Computes in i64, into which the products of an i48 and 16 bits, and of an
/// i32 and 32 bits, fit.
class RescaleBody {
public:
  RescaleBody(OpBuilder &b, Location loc, tosa::RescaleOp op)
      : b(b), loc(loc), op(op) {}

  /// An element or a zero point as i64.
  Value widen(Value value, bool isUnsigned) {
    if (value.getType().isInteger(64))
      return value;
    if (isUnsigned)
      return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
    return arith::ExtSIOp::create(b, loc, b.getI64Type(), value);
  }

  /// (value * multiplier + (1 << (shift - 1))) >> shift; all are i64. Shifts
  /// are clamped to [2, 62] (el-12).
  Value scale(Value value, Value multiplier, Value shift) {
    shift = arith::MaxSIOp::create(b, loc, shift, constant(2));
    shift = arith::MinSIOp::create(b, loc, shift, constant(62));
    Value less = arith::SubIOp::create(b, loc, shift, constant(1));
    Value half = arith::ShLIOp::create(b, loc, constant(1), less);
    if (op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND)
      half = arith::AddIOp::create(b, loc, half, roundAgain(value, shift));
    Value product = arith::MulIOp::create(b, loc, value, multiplier);
    Value sum = arith::AddIOp::create(b, loc, product, half);
    return arith::ShRSIOp::create(b, loc, sum, shift);
  }

  /// Saturates the value to `type`.
  Value narrow(Value value, Type type, bool isUnsigned) {
    unsigned bits = type.getIntOrFloatBitWidth();
    APInt least = isUnsigned ? APInt::getZero(64)
                             : APInt::getSignedMinValue(bits).sext(64);
    APInt most = isUnsigned ? APInt::getMaxValue(bits).zext(64)
                            : APInt::getSignedMaxValue(bits).sext(64);
    value =
        arith::MaxSIOp::create(b, loc, value, constant(least.getSExtValue()));
    value =
        arith::MinSIOp::create(b, loc, value, constant(most.getSExtValue()));
    return arith::TruncIOp::create(b, loc, type, value);
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
  }

  /// The addend of the first of two roundings, if the shift is greater than 31.
  Value roundAgain(Value value, Value shift) {
    Value isWide = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                         shift, constant(31));
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             value, constant(0));
    constexpr int64_t half = int64_t(1) << 30;
    Value rounding = arith::SelectOp::create(b, loc, isNegative,
                                             constant(-half), constant(half));
    return arith::SelectOp::create(b, loc, isWide, rounding, constant(0));
  }

  OpBuilder &b;
  Location loc;
  tosa::RescaleOp op;
};

struct LowerRescale : lower::ImagePattern<tosa::RescaleOp> {
  using ImagePattern::ImagePattern;

  bool applies(tosa::RescaleOp op) const override {
    return lower::isOpenRescale(op);
  }

  Value compute(OpBuilder &b, tosa::RescaleOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    RescaleBody outside(b, loc, op);
    Value inputZero =
        readZero(b, outside, loc, adaptor.getInputZp(), op.getInputUnsigned());
    Value outputZero = readZero(b, outside, loc, adaptor.getOutputZp(),
                                op.getOutputUnsigned());
    unsigned rank = extents.size();
    // One multiplier for all, or one for each index of the last axis.
    AffineExpr channel = op.getPerChannel() && rank != 0
                             ? b.getAffineDimExpr(rank - 1)
                             : b.getAffineConstantExpr(0);
    AffineMap each = b.getMultiDimIdentityMap(rank),
              scale = AffineMap::get(rank, 0, channel);
    AffineMap maps[] = {each, scale, scale, each};
    Value empty = tensor::EmptyOp::create(b, loc, extents, elementType);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, empty.getType(),
               ValueRange{adaptor.getInput(), adaptor.getMultiplier(),
                          adaptor.getShift()},
               empty, maps, iterators,
               [&](OpBuilder &inner, Location loc, ValueRange elements) {
                 RescaleBody body(inner, loc, op);
                 Value value = body.widen(elements[0], op.getInputUnsigned());
                 value = arith::SubIOp::create(inner, loc, value, inputZero);
                 value = body.scale(value, body.widen(elements[1], false),
                                    body.widen(elements[2], false));
                 value = arith::AddIOp::create(inner, loc, value, outputZero);
                 value =
                     body.narrow(value, elementType, op.getOutputUnsigned());
                 linalg::YieldOp::create(inner, loc, value);
               })
        .getResult(0);
  }

private:
  static Value readZero(OpBuilder &b, RescaleBody &body, Location loc,
                        Value zeroPoint, bool isUnsigned) {
    Type type = getElementTypeOrSelf(zeroPoint.getType());
    return body.widen(lower::readZeroPoint(b, loc, zeroPoint, type),
                      isUnsigned);
  }
};

} // namespace

bool lower::isOpenRescale(Operation *op) {
  return isa<tosa::RescaleOp>(op) &&
         llvm::any_of(op->getOperands().drop_front(), [](Value value) {
           return !matchPattern(value, m_Constant());
         });
}

void lower::populateRescale(TypeConverter &converter,
                            RewritePatternSet &patterns,
                            const infer::ResultExtents &shapes) {
  patterns.add<LowerRescale>(converter, patterns.getContext(), shapes);
}
