//===- Moves.cpp - operations that only move elements ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tosa.slice` and `tosa.tile`, for which upstream makes invalid IR if extents
// are dynamic, and `tosa.reshape` and `tosa.pad` if their shape is computed, or
// there is no padding.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"
#include "lower/tosa/OperandTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace broadloom;

namespace {

/// Replaces a negative number, which a guard before the operation rejects:
/// MLIR's operations treat the least number as dynamic.
OpFoldResult notNegative(OpBuilder &b, OpFoldResult number) {
  std::optional<int64_t> constant = getConstantIntValue(number);
  return constant && *constant < 0 ? OpFoldResult(b.getIndexAttr(0)) : number;
}

bool isConstant(Value shape) {
  return isa_and_nonnull<tosa::ConstShapeOp>(shape.getDefiningOp());
}

/// The sizes are an operand; the declared type may leave these extents dynamic.
struct SliceByItsSizes : OpConversionPattern<tosa::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput1();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    auto starts = infer::getNumbers(op.getStart());
    auto sizes = infer::getNumbers(op.getSize());
    if (!type || !starts || !sizes)
      return rewriter.notifyMatchFailure(op, "nothing tells start or size");
    SmallVector<OpFoldResult> extents;
    for (OpFoldResult &start : *starts)
      start = notNegative(rewriter, start);
    for (auto [axis, start, size] : llvm::enumerate(*starts, *sizes)) {
      // A size of -1 stands for the rest of the axis.
      OpFoldResult left =
          subtract(rewriter, loc,
                   tensor::getMixedSize(rewriter, loc, input, axis), start);
      std::optional<int64_t> constant = getConstantIntValue(size);
      if (constant) {
        extents.push_back(*constant == -1 ? left : notNegative(rewriter, size));
        continue;
      }
      Value given = cast<Value>(size);
      Value isOpen = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, given,
          arith::ConstantIndexOp::create(rewriter, loc, -1).getResult());
      extents.push_back(
          arith::SelectOp::create(
              rewriter, loc, isOpen,
              getValueOrCreateConstantIndexOp(rewriter, loc, left), given)
              .getResult());
    }
    auto getType = [&] {
      return RankedTensorType::get(decomposeMixedValues(extents).first,
                                   type.getElementType());
    };
    RankedTensorType sliced = getType();
    if (!tensor::CastOp::areCastCompatible(sliced, op.getType())) {
      // A guard before the operation always fails in this case.
      for (OpFoldResult &extent : extents)
        extent = getValueOrCreateConstantIndexOp(rewriter, loc, extent);
      sliced = getType();
    }
    SmallVector<OpFoldResult> strides(starts->size(), rewriter.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, sliced, input,
                                                 *starts, extents, strides);
    lower::replaceWithCast(rewriter, op, op.getType(), slice);
    return success();
  }

private:
  /// At least 0 if both are constants.
  static OpFoldResult subtract(OpBuilder &b, Location loc, OpFoldResult all,
                               OpFoldResult first) {
    auto x = getConstantIntValue(all), y = getConstantIntValue(first);
    if (x && y)
      return b.getIndexAttr(std::max<int64_t>(*x - *y, 0));
    return arith::SubIOp::create(b, loc,
                                 getValueOrCreateConstantIndexOp(b, loc, all),
                                 getValueOrCreateConstantIndexOp(b, loc, first))
        .getResult();
  }
};

/// Reads element i modulo the operand's extent. Upstream's pattern uses a
/// reshape with several dynamic extents.
struct TileByIndex : OpConversionPattern<tosa::TileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::TileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput1();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    auto multiples = infer::getNumbers(op.getMultiples());
    if (!type || !multiples)
      return rewriter.notifyMatchFailure(op, "nothing tells the multiples");
    SmallVector<Value> own;
    SmallVector<OpFoldResult> extents;
    for (auto [axis, given] : llvm::enumerate(*multiples)) {
      OpFoldResult multiple = notNegative(rewriter, given);
      own.push_back(tensor::DimOp::create(rewriter, loc, input, axis));
      std::optional<int64_t> times = getConstantIntValue(multiple);
      if (times && !type.isDynamicDim(axis)) {
        extents.push_back(
            rewriter.getIndexAttr(type.getDimSize(axis) * *times));
        continue;
      }
      Value factor = getValueOrCreateConstantIndexOp(rewriter, loc, multiple);
      extents.push_back(
          arith::MulIOp::create(rewriter, loc, own.back(), factor).getResult());
    }
    Value tiled = lower::computeElements(
        rewriter, loc, extents, type.getElementType(), {},
        [&](OpBuilder &body, Location loc, ValueRange) -> Value {
          SmallVector<Value> indices;
          for (auto [axis, extent] : llvm::enumerate(own)) {
            Value index = linalg::IndexOp::create(body, loc, axis);
            indices.push_back(arith::RemUIOp::create(body, loc, index, extent));
          }
          return tensor::ExtractOp::create(body, loc, input, indices);
        });
    lower::replaceWithCast(rewriter, op, op.getType(), tiled);
    return success();
  }
};

/// The extents of a constant new shape that upstream's pattern computes
/// wrongly: it divides the number of elements by the known extents, treats 0
/// elements as 1, and assumes that static numbers of elements agree, although a
/// guard may fail.
static std::optional<SmallVector<int64_t>> getOwnExtents(tosa::ReshapeOp op) {
  auto numbers = infer::getNumbers(op.getShape());
  if (!isConstant(op.getShape()) || !numbers)
    return std::nullopt;
  SmallVector<int64_t> extents;
  int64_t given = 1;
  for (OpFoldResult number : *numbers) {
    extents.push_back(getConstantIntValue(number).value_or(0));
    if (extents.back() >= 0 && llvm::MulOverflow(given, extents.back(), given))
      return std::nullopt;
  }
  auto type = cast<RankedTensorType>(op.getInput1().getType());
  bool isOpen = llvm::is_contained(extents, -1);
  bool isEmpty = llvm::is_contained(type.getShape(), 0);
  int64_t elements = isEmpty                 ? 0
                     : type.hasStaticShape() ? type.getNumElements()
                                             : given;
  if (given != 0 && !isEmpty &&
      (isOpen ? elements % given == 0 : elements == given))
    return std::nullopt;
  std::replace(extents.begin(), extents.end(), int64_t(-1),
               given == 0 ? 0 : elements / given);
  return extents;
}

/// Also if the types differ in static extents or rank.
struct IdentityByCast : OpConversionPattern<tosa::IdentityOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::IdentityOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::replaceWithCast(rewriter, op, op.getType(), adaptor.getInput1());
    return success();
  }
};

/// The numbers of a computed shape. The shape function fails if types
/// contradict each other, as in unreachable code.
static FailureOr<SmallVector<OpFoldResult>>
getGivenExtents(OpBuilder &builder, tosa::ReshapeOp op) {
  auto numbers = infer::getNumbers(op.getShape());
  if (!numbers)
    return failure();
  SmallVector<OpFoldResult> extents;
  for (OpFoldResult number : *numbers)
    extents.push_back(notNegative(builder, number));
  return extents;
}

/// The type of `op`, with open extents if it has another number of elements
/// than `source`: behind a guard that fails, types may contradict each other.
static Type getReshapedType(Type source, tosa::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(source);
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getNumElements() == to.getNumElements())
    return op.getType();
  return lower::openExtents(to);
}

struct ReshapeByNumbers : OpConversionPattern<tosa::ReshapeOp> {
  ReshapeByNumbers(TypeConverter &converter, MLIRContext *context,
                   const infer::ResultExtents &shapes)
      : OpConversionPattern(converter, context, /*benefit=*/2), shapes(shapes) {
  }

  LogicalResult
  matchAndRewrite(tosa::ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto own = getOwnExtents(op);
    if (isConstant(op.getShape()) && !own)
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    FailureOr<SmallVector<OpFoldResult>> extents =
        own ? getAsIndexOpFoldResult(op.getContext(), *own)
            : shapes.emit(rewriter, op, 0, adaptor.getOperands());
    if (failed(extents))
      extents = getGivenExtents(rewriter, op);
    if (failed(extents))
      return rewriter.notifyMatchFailure(op, "nothing tells the extents");
    SmallVector<Value> list =
        getValueOrCreateConstantIndexOp(rewriter, loc, *extents);
    auto listType =
        RankedTensorType::get({int64_t(list.size())}, rewriter.getIndexType());
    Value shape = tensor::FromElementsOp::create(rewriter, loc, listType, list);
    Value made = tensor::ReshapeOp::create(
        rewriter, loc, getReshapedType(adaptor.getInput1().getType(), op),
        adaptor.getInput1(), shape);
    lower::replaceWithCast(rewriter, op, op.getType(), made);
    return success();
  }

private:
  const infer::ResultExtents &shapes;
};

struct PadByNumbers : OpConversionPattern<tosa::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto padding = infer::getNumbers(op.getPadding());
    auto isNegative = [](OpFoldResult number) {
      return getConstantIntValue(number).value_or(0) < 0;
    };
    if (!padding ||
        (isConstant(op.getPadding()) && llvm::none_of(*padding, isNegative)))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> low, high;
    for (size_t i = 0; i + 1 < padding->size(); i += 2) {
      low.push_back(notNegative(rewriter, (*padding)[i]));
      high.push_back(notNegative(rewriter, (*padding)[i + 1]));
    }
    Type element = getElementTypeOrSelf(op.getType());
    Value with =
        lower::readZeroPoint(rewriter, loc, adaptor.getPadConst(), element);
    Value padded = tensor::PadOp::create(rewriter, loc, Type(),
                                         adaptor.getInput1(), low, high, with);
    lower::replaceWithCast(rewriter, op, op.getType(), padded);
    return success();
  }
};

} // namespace

void lower::populateMoves(TypeConverter &converter, RewritePatternSet &patterns,
                          const infer::ResultExtents &shapes) {
  // With a higher benefit than upstream's patterns.
  MLIRContext *context = patterns.getContext();
  patterns.add<SliceByItsSizes, TileByIndex, PadByNumbers, IdentityByCast>(
      converter, context,
      /*benefit=*/2);
  patterns.add<ReshapeByNumbers>(converter, context, shapes);
}
