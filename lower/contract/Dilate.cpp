//===- Dilate.cpp - transposed convolutions as convolutions ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/Dilate.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

Value lower::dilateImage(OpBuilder &b, tosa::TransposeConv2DOp op,
                         int64_t zero) {
  Location loc = op.getLoc();
  Value image = op.getInput();
  Type element = getElementTypeOrSelf(image.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, image);
  SmallVector<OpFoldResult> extents(sizes), offsets(4, b.getIndexAttr(0)),
      steps(4, b.getIndexAttr(1));
  AffineExpr image0, kernel0;
  bindSymbols(b.getContext(), image0, kernel0);
  for (int64_t i : {0, 1}) {
    int64_t step = op.getStride()[i];
    int64_t before = op.getOutPad()[2 * i], after = op.getOutPad()[2 * i + 1];
    SmallVector<OpFoldResult> numbers{
        sizes[1 + i], tensor::getMixedSize(b, loc, op.getWeight(), 1 + i)};
    // By the kernel's constraints, no offset is negative (img-1).
    offsets[1 + i] = affine::makeComposedFoldedAffineApply(
        b, loc, kernel0 - 1 + before, numbers);
    extents[1 + i] = affine::makeComposedFoldedAffineApply(
        b, loc, (image0 - 1) * step + kernel0 * 2 - 1 + before + after,
        numbers);
    steps[1 + i] = b.getIndexAttr(step);
  }
  TypedAttr filled = isa<FloatType>(element)
                         ? TypedAttr(b.getFloatAttr(element, 0))
                         : TypedAttr(b.getIntegerAttr(element, zero));
  Value empty = tensor::EmptyOp::create(b, loc, extents, element);
  Value zeros =
      linalg::FillOp::create(
          b, loc, arith::ConstantOp::create(b, loc, filled).getResult(), empty)
          .getResult(0);
  return tensor::InsertSliceOp::create(b, loc, image, zeros, offsets, sizes,
                                       steps);
}

Value lower::reverseKernel(OpBuilder &b, tosa::TransposeConv2DOp op) {
  Value weight = op.getWeight();
  ElementsAttr constant;
  if (matchPattern(weight, m_Constant(&constant)))
    if (ElementsAttr reversed = lower::reverseAxes(constant, /*first=*/1))
      return arith::ConstantOp::create(b, op.getLoc(),
                                       cast<TypedAttr>(reversed));
  for (int32_t axis : {1, 2})
    if (cast<ShapedType>(weight.getType()).getDimSize(axis) != 1)
      weight = tosa::ReverseOp::create(b, op.getLoc(), weight.getType(), weight,
                                       b.getI32IntegerAttr(axis));
  return weight;
}
