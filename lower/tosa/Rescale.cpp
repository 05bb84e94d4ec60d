//===- Rescale.cpp - rescaling with multipliers that are arguments --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"
#include "scalar/RescaleBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LowerRescale : lower::ImagePattern<tosa::RescaleOp> {
  using ImagePattern::ImagePattern;

  bool applies(tosa::RescaleOp op) const override {
    return lower::isOpenRescale(op);
  }

  Value compute(OpBuilder &b, tosa::RescaleOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    bool roundsTwice = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
    scalar::RescaleBody outside(b, loc, roundsTwice);
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
                 scalar::RescaleBody body(inner, loc, roundsTwice);
                 Value value = body.widen(elements[0], op.getInputUnsigned());
                 value = arith::SubIOp::create(inner, loc, value, inputZero);
                 value = body.scale(value, body.widen(elements[1], false),
                                    body.widen(elements[2], false), {});
                 value = arith::AddIOp::create(inner, loc, value, outputZero);
                 value =
                     body.narrow(value, elementType, op.getOutputUnsigned());
                 linalg::YieldOp::create(inner, loc, value);
               })
        .getResult(0);
  }

private:
  static Value readZero(OpBuilder &b, scalar::RescaleBody &body, Location loc,
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
