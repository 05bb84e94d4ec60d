//===- Convolution.cpp - sums of products over windows --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Convolution.h"

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

Value lower::startWithBias(OpBuilder &b, Location loc,
                           ArrayRef<OpFoldResult> extents, Type sum, Value bias,
                           unsigned channelAxes) {
  int64_t count = cast<ShapedType>(bias.getType()).getDimSize(0);
  // For a bias of dynamic extent, either the only value or that of a channel.
  Value last;
  if (ShapedType::isDynamic(count))
    last = arith::SubIOp::create(
        b, loc, tensor::DimOp::create(b, loc, bias, 0).getResult(),
        arith::ConstantIndexOp::create(b, loc, 1).getResult());
  unsigned first = extents.size() - channelAxes;
  SmallVector<Value> inner =
      getValueOrCreateConstantIndexOp(b, loc, extents.drop_front(first + 1));
  auto getChannel = [&](OpBuilder &b) -> Value {
    if (count == 1)
      return arith::ConstantIndexOp::create(b, loc, 0);
    Value channel = linalg::IndexOp::create(b, loc, first);
    for (auto [i, extent] : llvm::enumerate(inner)) {
      if (isConstantIntValue(extents[first + 1 + i], 1))
        continue;
      Value whole = arith::MulIOp::create(b, loc, channel, extent);
      Value part = linalg::IndexOp::create(b, loc, first + 1 + i);
      channel = arith::AddIOp::create(b, loc, whole, part);
    }
    return last ? arith::MinSIOp::create(b, loc, channel, last) : channel;
  };
  return computeElements(
      b, loc, extents, sum, {},
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value element = tensor::ExtractOp::create(b, loc, bias, getChannel(b));
        element = convertScalarToDtype(b, loc, element, sum,
                                       /*isUnsignedCast=*/false);
        if (!isa<FloatType>(sum))
          return element;
        // The sum of no products is +0, also with a bias of -0.
        auto zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(sum, 0.0));
        return arith::AddFOp::create(b, loc, element, zero).getResult();
      });
}

lower::Factor lower::readFactor(OpBuilder &b, Location loc, Value value,
                                Value zeroPoint, Type sum) {
  Factor factor{value, {}, {}};
  if (isa<IntegerType>(sum))
    factor.zeroPoint = readZeroPoint(b, loc, zeroPoint, sum);
  return factor;
}

Value lower::padImage(OpBuilder &b, Location loc, Value image, Value zeroPoint,
                      ArrayRef<int64_t> pad) {
  if (llvm::all_of(pad, [](int64_t amount) { return amount == 0; }))
    return image;
  Type element = getElementTypeOrSelf(image.getType());
  Value zero = isa<IntegerType>(element)
                   ? readZeroPoint(b, loc, zeroPoint, element)
                   : arith::ConstantOp::create(
                         b, loc, cast<TypedAttr>(b.getZeroAttr(element)))
                         .getResult();
  OpFoldResult none = b.getIndexAttr(0);
  SmallVector<OpFoldResult> low{none}, high{none};
  for (size_t i = 0; i < pad.size(); i += 2) {
    low.push_back(b.getIndexAttr(pad[i]));
    high.push_back(b.getIndexAttr(pad[i + 1]));
  }
  low.push_back(none);
  high.push_back(none);
  return tensor::PadOp::create(b, loc, Type(), image, low, high, zero);
}

Value lower::addProducts(OpBuilder &b, Location loc, Factor image,
                         Factor weight, Value start, AffineMap to,
                         ArrayRef<utils::IteratorType> iterators) {
  Type sumType = getElementTypeOrSelf(start.getType());
  auto body = [&](OpBuilder &b, Location loc, ValueRange elements) {
    auto widened = [&](Value element, Value zero) -> Value {
      element = convertScalarToDtype(b, loc, element, sumType,
                                     /*isUnsignedCast=*/false);
      return zero ? arith::SubIOp::create(b, loc, element, zero).getResult()
                  : element;
    };
    Value x = widened(elements[0], image.zeroPoint);
    Value y = widened(elements[1], weight.zeroPoint);
    Value sum;
    if (isa<IntegerType>(sumType))
      sum = arith::AddIOp::create(
          b, loc, elements[2], arith::MulIOp::create(b, loc, x, y).getResult());
    else
      sum = arith::AddFOp::create(
          b, loc, elements[2], arith::MulFOp::create(b, loc, x, y).getResult());
    linalg::YieldOp::create(b, loc, sum);
  };
  AffineMap maps[] = {image.map, weight.map, to};
  return linalg::GenericOp::create(b, loc, start.getType(),
                                   ValueRange{image.value, weight.value}, start,
                                   maps, iterators, body)
      .getResult(0);
}

Value lower::convertElements(OpBuilder &b, Location loc,
                             ArrayRef<OpFoldResult> extents, Value tensor,
                             Type elementType) {
  if (getElementTypeOrSelf(tensor.getType()) == elementType)
    return tensor;
  return computeElements(b, loc, extents, elementType, tensor,
                         [&](OpBuilder &b, Location loc, ValueRange elements) {
                           return convertScalarToDtype(
                               b, loc, elements[0], elementType,
                               /*isUnsignedCast=*/false);
                         });
}

//===----------------------------------------------------------------------===//
// tosa.conv2d, tosa.conv3d
//===----------------------------------------------------------------------===//

namespace {

bool isStatic(Value value) {
  return cast<ShapedType>(value.getType()).hasStaticShape();
}

/// Lowers convolutions with dynamic extents that upstream does not support.
template <typename Op> struct LowerOpenConvolution : lower::ImagePattern<Op> {
  using lower::ImagePattern<Op>::ImagePattern;

  bool applies(Op op) const override { return lower::isOpenConvolution(op); }

  Value compute(OpBuilder &b, Op op, typename Op::Adaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    Type sum = op.getAccType();
    Value start = lower::startWithBias(b, loc, extents, sum, adaptor.getBias());
    auto [image, weight] = lower::readFactors(b, op, adaptor);

    // Batch, positions, output channel, indices in the kernel, input channel.
    ArrayRef<int64_t> stride = op.getStride(), dilation = op.getDilation();
    unsigned axes = stride.size(), loops = 2 * axes + 3;
    SmallVector<AffineExpr> from{b.getAffineDimExpr(0)},
        with{b.getAffineDimExpr(axes + 1)}, to{b.getAffineDimExpr(0)};
    for (unsigned i : llvm::seq(axes)) {
      AffineExpr position = b.getAffineDimExpr(1 + i),
                 inKernel = b.getAffineDimExpr(axes + 2 + i);
      from.push_back(position * stride[i] + inKernel * dilation[i]);
      with.push_back(inKernel);
      to.push_back(position);
    }
    from.push_back(b.getAffineDimExpr(loops - 1));
    with.push_back(b.getAffineDimExpr(loops - 1));
    to.push_back(b.getAffineDimExpr(axes + 1));
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(loops, 0, indices, b.getContext());
    };
    image.map = map(from);
    weight.map = map(with);
    SmallVector<utils::IteratorType> iterators(axes + 2,
                                               utils::IteratorType::parallel);
    iterators.append(axes + 1, utils::IteratorType::reduction);
    Value sums =
        lower::addProducts(b, loc, image, weight, start, map(to), iterators);
    return lower::convertElements(b, loc, extents, sums, elementType);
  }
};

} // namespace

bool lower::hasOpenZeroPoints(Operation *op) {
  if (!isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return false;
  return llvm::any_of(op->getOperands().take_back(2), [](Value point) {
    return !matchPattern(point, m_Constant());
  });
}

bool lower::isOpenConvolution(Operation *op) {
  if (auto flat = dyn_cast<tosa::Conv2DOp>(op))
    return !isStatic(flat.getWeight()) || !isStatic(flat.getBias()) ||
           hasOpenZeroPoints(op);
  auto deep = dyn_cast<tosa::Conv3DOp>(op);
  return deep && (!isStatic(deep.getInput()) || !isStatic(deep.getWeight()) ||
                  !isStatic(deep.getBias()) || !isStatic(deep.getOutput()) ||
                  hasOpenZeroPoints(op));
}

void lower::populateConvolution(TypeConverter &converter,
                                RewritePatternSet &patterns,
                                const infer::ResultExtents &shapes) {
  patterns.add<LowerOpenConvolution<tosa::Conv2DOp>,
               LowerOpenConvolution<tosa::Conv3DOp>>(
      converter, patterns.getContext(), shapes);
}
