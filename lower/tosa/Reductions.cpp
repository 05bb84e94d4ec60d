//===- Reductions.cpp - TOSA's reductions as linalg -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Reductions.h"

#include "lower/Reduction.h"
#include "lower/tosa/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using lower::Reduction;

/// Reduces `input` along the axis; the result, of these extents, lacks it.
static Value reducedAxis(OpBuilder &builder, Location loc,
                         const Reduction &reduction, Value input,
                         ArrayRef<OpFoldResult> extents) {
  auto type = cast<RankedTensorType>(input.getType());
  Type reduced = lower::getReducedType(reduction, type.getElementType());
  Value neutral = arith::ConstantOp::create(
      builder, loc, lower::getNeutral(reduction, reduced));
  Value empty = tensor::EmptyOp::create(builder, loc, extents, reduced);
  Value start =
      linalg::FillOp::create(builder, loc, neutral, empty).getResult(0);
  AffineMap whole = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  iterators[reduction.axis] = utils::IteratorType::reduction;
  auto combine = [&](OpBuilder &body, Location loc, ValueRange elements) {
    Value prepared = lower::prepareElement(
        body, loc, reduction, elements[0], [&]() -> Value {
          return arith::IndexCastOp::create(
              body, loc, body.getI64Type(),
              linalg::IndexOp::create(body, loc, reduction.axis));
        });
    Value combined =
        lower::combineElements(body, loc, reduction, elements[1], prepared);
    linalg::YieldOp::create(body, loc, combined);
  };
  return linalg::GenericOp::create(
             builder, loc, start.getType(), input, start,
             ArrayRef<AffineMap>{whole, whole.dropResult(reduction.axis)},
             iterators, combine)
      .getResult(0);
}

/// `value` with an axis of extent 1 at `axis`.
static Value insertAxis(OpBuilder &builder, Location loc, Value value,
                        int64_t axis, SmallVector<OpFoldResult> extents) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + axis, 1);
  extents.insert(extents.begin() + axis, builder.getIndexAttr(1));
  // The new axis is grouped with the next one, or the last axis with the one
  // before.
  SmallVector<ReassociationIndices> groups(type.getRank());
  for (int64_t own = 0; type.getRank() && own <= type.getRank(); ++own)
    groups[std::min(own - (own > axis), type.getRank() - 1)].push_back(own);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groups, extents);
}

namespace {

template <typename Op> struct ReduceByFold : OpConversionPattern<Op> {
  ReduceByFold(TypeConverter &converter, MLIRContext *context)
      // With a higher benefit than upstream's patterns.
      : OpConversionPattern<Op>(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<Reduction> reduction = lower::matchReduction(op);
    if (!reduction)
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    Value input = adaptor.getOperands().front();
    Type element = getElementTypeOrSelf(input.getType());
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(rewriter, loc, input);
    extents.erase(extents.begin() + reduction->axis);
    Value result = reducedAxis(rewriter, loc, *reduction, input, extents);
    bool isArgMax = reduction->kind == Reduction::Kind::ArgMax;
    if (isArgMax || getElementTypeOrSelf(result.getType()) != element)
      result = lower::computeElements(
          rewriter, loc, extents, getElementTypeOrSelf(op.getType()), result,
          [&](OpBuilder &body, Location loc, ValueRange reduced) {
            return lower::finishElement(body, loc, *reduction, reduced.front(),
                                        element);
          });
    if (!isArgMax)
      result = insertAxis(rewriter, loc, result, reduction->axis, extents);
    lower::replaceWithCast(rewriter, op, op.getType(), result);
    return success();
  }
};

} // namespace

void lower::populateReductions(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns
      .add<ReduceByFold<tosa::ArgMaxOp>, ReduceByFold<tosa::ReduceAllOp>,
           ReduceByFold<tosa::ReduceAnyOp>, ReduceByFold<tosa::ReduceMaxOp>,
           ReduceByFold<tosa::ReduceMinOp>, ReduceByFold<tosa::ReduceProductOp>,
           ReduceByFold<tosa::ReduceSumOp>>(converter, patterns.getContext());
}
