//===- DepthwiseConvolution.cpp - tosa.depthwise_conv2d -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each channel of the image is convolved with its own kernels; their number is
// the multiplier. They are an axis of the sums, which is merged with the
// channels at the end.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Convolution.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LowerDepthwiseConvolution
    : lower::ImagePattern<tosa::DepthwiseConv2DOp> {
  using ImagePattern::ImagePattern;

  Value compute(OpBuilder &b, tosa::DepthwiseConv2DOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    Type sum = op.getAccType();
    SmallVector<OpFoldResult> split(extents.drop_back());
    for (int64_t axis : {2, 3})
      split.push_back(tensor::getMixedSize(b, loc, adaptor.getWeight(), axis));
    Value start = lower::startWithBias(b, loc, split, sum, adaptor.getBias(),
                                       /*channelAxes=*/2);
    auto [image, weight] = lower::readFactors(b, op, adaptor);

    // Channels innermost, as they lie in memory.
    AffineExpr batch, y, x, ky, kx, channel, copy;
    bindDims(b.getContext(), batch, y, x, ky, kx, channel, copy);
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(7, 0, indices, b.getContext());
    };
    ArrayRef<int64_t> stride = op.getStride(), dilation = op.getDilation();
    image.map = map({batch, y * stride[0] + ky * dilation[0],
                     x * stride[1] + kx * dilation[1], channel});
    weight.map = map({ky, kx, channel, copy});
    SmallVector<utils::IteratorType> iterators(7,
                                               utils::IteratorType::parallel);
    iterators[3] = iterators[4] = utils::IteratorType::reduction;
    Value sums =
        lower::addProducts(b, loc, image, weight, start,
                           map({batch, y, x, channel, copy}), iterators);
    SmallVector<ReassociationIndices> together{{0}, {1}, {2}, {3, 4}};
    Value flat = tensor::CollapseShapeOp::create(b, loc, sums, together);
    return lower::convertElements(b, loc, extents, flat, elementType);
  }
};

} // namespace

void lower::populateDepthwiseConvolution(TypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         const infer::ResultExtents &shapes) {
  patterns.add<LowerDepthwiseConvolution>(converter, patterns.getContext(),
                                          shapes);
}
