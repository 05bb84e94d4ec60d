//===- TransposeConvolution.cpp - tosa.transpose_conv2d -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposed convolutions that do not become contractions
// (lower/contract/Dilate.h). Each element of the image, times the kernel, is
// added to the result, which begins as the bias: the element of row y and the
// kernel's row k go to row y * stride + k + the padding. The elements that
// negative padding cuts off are computed too, and removed at the end.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Convolution.h"
#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
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
    Type sum = op.getAccType();
    Value whole = lower::startWithBias(b, loc, widen(b, loc, extents, pad), sum,
                                       adaptor.getBias());
    lower::Factor image = lower::readFactor(b, loc, adaptor.getInput(),
                                            adaptor.getInputZp(), sum);
    lower::Factor weight = lower::readFactor(b, loc, adaptor.getWeight(),
                                             adaptor.getWeightZp(), sum);
    // Channels innermost, as they lie in memory.
    AffineExpr batch, y, x, ky, kx, to, from;
    bindDims(b.getContext(), batch, y, x, ky, kx, to, from);
    auto locate = [&](unsigned i, AffineExpr index, AffineExpr inKernel) {
      return index * op.getStride()[i] + inKernel +
             std::max<int64_t>(pad[2 * i], 0);
    };
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(7, 0, indices, b.getContext());
    };
    image.map = map({batch, y, x, from});
    weight.map = map({to, ky, kx, from});
    SmallVector<utils::IteratorType> iterators(7,
                                               utils::IteratorType::reduction);
    iterators[0] = iterators[5] = utils::IteratorType::parallel;
    whole = lower::addProducts(
        b, loc, image, weight, whole,
        map({batch, locate(0, y, ky), locate(1, x, kx), to}), iterators);
    Value result = cut(b, loc, whole, extents, pad);
    return lower::convertElements(b, loc, extents, result, elementType);
  }

private:
  /// The extents without the cut of negative padding.
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
                                         const infer::ResultExtents &shapes) {
  patterns.add<LowerTransposeConvolution>(converter, patterns.getContext(),
                                          shapes);
}
