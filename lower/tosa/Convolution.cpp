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

using namespace mlir;
using namespace broadloom;

Value lower::startWithBias(OpBuilder &b, Location loc,
                           ArrayRef<OpFoldResult> extents, Type sum,
                           Value bias) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::SubIOp::create(
      b, loc, tensor::DimOp::create(b, loc, bias, 0).getResult(), one);
  return computeElements(
      b, loc, extents, sum, {}, [&](OpBuilder &b, Location loc, ValueRange) {
        Value channel = linalg::IndexOp::create(b, loc, extents.size() - 1);
        Value index = arith::MinSIOp::create(b, loc, channel, last);
        Value element = tensor::ExtractOp::create(b, loc, bias, index);
        return convertScalarToDtype(b, loc, element, sum,
                                    /*isUnsignedCast=*/false);
      });
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
// tosa.conv2d
//===----------------------------------------------------------------------===//

namespace {

/// Of a weight or a bias whose extents are not static, which upstream does not
/// lower.
struct LowerOpenConvolution : lower::ImagePattern<tosa::Conv2DOp> {
  using ImagePattern::ImagePattern;

  bool applies(tosa::Conv2DOp op) const override {
    return !cast<ShapedType>(op.getWeight().getType()).hasStaticShape() ||
           !cast<ShapedType>(op.getBias().getType()).hasStaticShape();
  }

  Value compute(OpBuilder &b, tosa::Conv2DOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    Type sum = op.getAccType();
    Value start = lower::startWithBias(b, loc, extents, sum, adaptor.getBias());
    lower::Factor image{adaptor.getInput(), {}, {}},
        weight{adaptor.getWeight(), {}, {}};
    Type element = getElementTypeOrSelf(image.value.getType());
    // What is added around the image counts as 0.
    Value zero;
    if (isa<IntegerType>(sum)) {
      image.zeroPoint = lower::readZeroPoint(b, loc, adaptor.getInputZp(), sum);
      weight.zeroPoint =
          lower::readZeroPoint(b, loc, adaptor.getWeightZp(), sum);
      zero = lower::readZeroPoint(b, loc, adaptor.getInputZp(), element);
    } else {
      zero = arith::ConstantOp::create(b, loc,
                                       cast<TypedAttr>(b.getZeroAttr(element)));
    }
    ArrayRef<int64_t> pad = op.getPad();
    SmallVector<OpFoldResult> low = getAsIndexOpFoldResult(
                                  b.getContext(), {0, pad[0], pad[2], 0}),
                              high = getAsIndexOpFoldResult(
                                  b.getContext(), {0, pad[1], pad[3], 0});
    if (llvm::any_of(pad, [](int64_t amount) { return amount != 0; }))
      image.value =
          tensor::PadOp::create(b, loc, Type(), image.value, low, high, zero);

    AffineExpr batch, y, x, to, ky, kx, from;
    bindDims(b.getContext(), batch, y, x, to, ky, kx, from);
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(7, 0, indices, b.getContext());
    };
    ArrayRef<int64_t> stride = op.getStride(), dilation = op.getDilation();
    image.map = map({batch, y * stride[0] + ky * dilation[0],
                     x * stride[1] + kx * dilation[1], from});
    weight.map = map({to, ky, kx, from});
    SmallVector<utils::IteratorType> iterators(4,
                                               utils::IteratorType::parallel);
    iterators.append(3, utils::IteratorType::reduction);
    Value sums = lower::addProducts(b, loc, image, weight, start,
                                    map({batch, y, x, to}), iterators);
    return lower::convertElements(b, loc, extents, sums, elementType);
  }
};

} // namespace

void lower::populateConvolution(TypeConverter &converter,
                                RewritePatternSet &patterns,
                                const infer::ShapeLibrary *library) {
  patterns.add<LowerOpenConvolution>(converter, patterns.getContext(), library);
}
