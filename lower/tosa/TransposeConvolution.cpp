//===- TransposeConvolution.cpp - tosa.transpose_conv2d -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element of the image, times the kernel, is added to the result, which
// begins as the bias: the element of row y and the kernel's row k go to row
// y * stride + k + the padding. What negative padding cuts away is computed
// with the rest and left out at the end.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Images.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LowerTransposeConvolution
    : lower::ImagePattern<tosa::TransposeConv2DOp> {
  using ImagePattern::ImagePattern;

  Value compute(OpBuilder &b, tosa::TransposeConv2DOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    ArrayRef<int64_t> pad = op.getOutPad();
    Value whole = startWithBias(b, op, adaptor, widen(b, loc, extents, pad));
    whole = addProducts(b, op, adaptor, whole);
    Value result = cut(b, loc, whole, extents, pad);
    if (elementType == op.getAccType())
      return result;
    return lower::computeElements(
        b, loc, extents, elementType, result,
        [&](OpBuilder &b, Location loc, ValueRange elements) {
          return convertScalarToDtype(b, loc, elements[0], elementType,
                                      /*isUnsignedCast=*/false);
        });
  }

private:
  /// The extents with what negative padding cuts away.
  static SmallVector<OpFoldResult> widen(OpBuilder &b, Location loc,
                                         ArrayRef<OpFoldResult> extents,
                                         ArrayRef<int64_t> pad) {
    SmallVector<OpFoldResult> wide(extents);
    for (unsigned i : {0u, 1u}) {
      int64_t cut = std::max<int64_t>(-pad[2 * i], 0) +
                    std::max<int64_t>(-pad[2 * i + 1], 0);
      if (cut != 0)
        wide[1 + i] = affine::makeComposedFoldedAffineApply(
            b, loc, b.getAffineDimExpr(0) + cut, wide[1 + i]);
    }
    return wide;
  }

  static Value startWithBias(OpBuilder &b, tosa::TransposeConv2DOp op,
                             OpAdaptor adaptor,
                             ArrayRef<OpFoldResult> extents) {
    Location loc = op.getLoc();
    Value bias = adaptor.getBias();
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value last = arith::SubIOp::create(
        b, loc, tensor::DimOp::create(b, loc, bias, 0).getResult(), one);
    return lower::computeElements(
        b, loc, extents, op.getAccType(), {},
        [&](OpBuilder &b, Location loc, ValueRange) {
          // One bias may be that of all channels.
          Value channel = linalg::IndexOp::create(b, loc, 3);
          Value index = arith::MinSIOp::create(b, loc, channel, last);
          Value element = tensor::ExtractOp::create(b, loc, bias, index);
          return convertScalarToDtype(b, loc, element, op.getAccType(),
                                      /*isUnsignedCast=*/false);
        });
  }

  static Value addProducts(OpBuilder &b, tosa::TransposeConv2DOp op,
                           OpAdaptor adaptor, Value whole) {
    Location loc = op.getLoc();
    Type sumType = op.getAccType();
    Value inputZero, weightZero;
    if (isa<IntegerType>(sumType)) {
      inputZero = lower::readZeroPoint(b, loc, adaptor.getInputZp(), sumType);
      weightZero = lower::readZeroPoint(b, loc, adaptor.getWeightZp(), sumType);
    }
    // Channels innermost, as they lie in memory.
    AffineExpr batch, y, x, ky, kx, to, from;
    bindDims(b.getContext(), batch, y, x, ky, kx, to, from);
    auto place = [&](unsigned i, AffineExpr index, AffineExpr inKernel) {
      return index * op.getStride()[i] + inKernel +
             std::max<int64_t>(op.getOutPad()[2 * i], 0);
    };
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(7, 0, indices, b.getContext());
    };
    AffineMap maps[] = {map({batch, y, x, from}), map({to, ky, kx, from}),
                        map({batch, place(0, y, ky), place(1, x, kx), to})};
    SmallVector<utils::IteratorType> iterators(7,
                                               utils::IteratorType::reduction);
    iterators[0] = iterators[5] = utils::IteratorType::parallel;
    auto body = [&](OpBuilder &b, Location loc, ValueRange elements) {
      auto widened = [&](Value element, Value zero) -> Value {
        element = convertScalarToDtype(b, loc, element, sumType,
                                       /*isUnsignedCast=*/false);
        return zero ? arith::SubIOp::create(b, loc, element, zero).getResult()
                    : element;
      };
      Value input = widened(elements[0], inputZero);
      Value weight = widened(elements[1], weightZero);
      Value sum;
      if (inputZero)
        sum = arith::AddIOp::create(
            b, loc, elements[2],
            arith::MulIOp::create(b, loc, input, weight).getResult());
      else
        sum = arith::AddFOp::create(
            b, loc, elements[2],
            arith::MulFOp::create(b, loc, input, weight).getResult());
      linalg::YieldOp::create(b, loc, sum);
    };
    return linalg::GenericOp::create(
               b, loc, whole.getType(),
               ValueRange{adaptor.getInput(), adaptor.getWeight()}, whole, maps,
               iterators, body)
        .getResult(0);
  }

  static Value cut(OpBuilder &b, Location loc, Value whole,
                   ArrayRef<OpFoldResult> extents, ArrayRef<int64_t> pad) {
    if (llvm::none_of(pad, [](int64_t amount) { return amount < 0; }))
      return whole;
    int64_t top = std::max<int64_t>(-pad[0], 0),
            left = std::max<int64_t>(-pad[2], 0);
    SmallVector<OpFoldResult> offsets =
        getAsIndexOpFoldResult(b.getContext(), {0, top, left, 0});
    SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, whole, offsets, extents,
                                          strides);
  }
};

} // namespace

void lower::populateTransposeConvolution(TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         const infer::ShapeLibrary *library) {
  patterns.add<LowerTransposeConvolution>(converter, patterns.getContext(),
                                          library);
}
