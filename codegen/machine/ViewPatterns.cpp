//===- ViewPatterns.cpp - parts and expansions of buffers -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/ViewPatterns.h"

#include "dialect/MemoryViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

/// The static number of the type, else the value.
static OpFoldResult mix(Builder &builder, int64_t known, Value value) {
  if (ShapedType::isDynamic(known))
    return value;
  return builder.getIndexAttr(known);
}

namespace {

/// Upstream's pattern folds the sums and products of offsets and strides, and
/// writes a result of -2^63, in code that no call reaches, as the number that
/// means an open extent. Here, what is dynamic in the type stays a value.
struct CutByArithmetic : OpRewritePattern<memref::SubViewOp> {
  explicit CutByArithmetic(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(memref::SubViewOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getType();
    SmallVector<int64_t> staticStrides;
    int64_t staticOffset;
    if (failed(type.getStridesAndOffset(staticStrides, staticOffset)))
      return failure();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSource());
    auto multiply = [&](Value stride, OpFoldResult by) -> Value {
      if (isOneInteger(by))
        return stride;
      Value factor = getValueOrCreateConstantIndexOp(rewriter, loc, by);
      return arith::MulIOp::create(rewriter, loc, stride, factor);
    };
    Value offset = metadata.getOffset();
    if (ShapedType::isDynamic(staticOffset))
      for (auto [stride, by] :
           llvm::zip_equal(metadata.getStrides(), op.getMixedOffsets()))
        if (!isZeroInteger(by))
          offset = arith::AddIOp::create(rewriter, loc, offset,
                                         multiply(stride, by));
    llvm::SmallBitVector dropped = loom::getDroppedAxes(op);
    SmallVector<OpFoldResult> sizes, strides;
    for (auto [axis, size, by] :
         llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
      if (dropped.test(axis))
        continue;
      size_t result = sizes.size();
      sizes.push_back(
          mix(rewriter, type.getDimSize(result),
              getValueOrCreateConstantIndexOp(rewriter, loc, size)));
      strides.push_back(mix(rewriter, staticStrides[result],
                            multiply(metadata.getStrides()[axis], by)));
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, metadata.getBaseBuffer(), mix(rewriter, staticOffset, offset),
        sizes, strides);
    return success();
  }
};

/// Takes the extents of the result from the operand `output_shape`. Upstream's
/// pattern computes them from the operand's extents, and fails if two of a
/// group are dynamic. abi-3
struct ExpandByItsShape : OpRewritePattern<memref::ExpandShapeOp> {
  explicit ExpandByItsShape(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    MemRefType type = op.getResultType();
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<int64_t> staticStrides;
    int64_t staticOffset;
    if (failed(type.getStridesAndOffset(staticStrides, staticOffset)))
      return failure();
    // If a scalar is expanded, there are no groups and all extents are 1.
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      Value stride = metadata.getStrides()[axis];
      for (int64_t member : llvm::reverse(group)) {
        strides[member] = mix(rewriter, staticStrides[member], stride);
        Value size =
            getValueOrCreateConstantIndexOp(rewriter, loc, sizes[member]);
        stride = arith::MulIOp::create(rewriter, loc, stride, size);
      }
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, metadata.getBaseBuffer(),
        mix(rewriter, staticOffset, metadata.getOffset()), sizes, strides);
    return success();
  }
};

/// Upstream's pattern takes the least stride of a group, but strides may be
/// negative, and those of axes of extent 1 do not count.
struct CollapseByItsStrides : OpRewritePattern<memref::CollapseShapeOp> {
  explicit CollapseByItsStrides(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(memref::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    auto [staticStrides, staticOffset] = type.getStridesAndOffset();
    if (!llvm::is_contained(staticStrides, ShapedType::kDynamic))
      return failure();
    Location loc = op.getLoc();
    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    SmallVector<OpFoldResult> sizes, strides;
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      Value count = metadata.getSizes()[group.back()],
            stride = metadata.getStrides()[group.back()];
      for (int64_t member : llvm::drop_begin(llvm::reverse(group))) {
        Value isOne = arith::CmpIOp::create(
            rewriter, loc, arith::CmpIPredicate::eq, count, one);
        stride = arith::SelectOp::create(rewriter, loc, isOne,
                                         metadata.getStrides()[member], stride);
        count = arith::MulIOp::create(rewriter, loc, count,
                                      metadata.getSizes()[member]);
      }
      sizes.push_back(mix(rewriter, type.getDimSize(axis), count));
      strides.push_back(mix(rewriter, staticStrides[axis], stride));
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, metadata.getBaseBuffer(),
        mix(rewriter, staticOffset, metadata.getOffset()), sizes, strides);
    return success();
  }
};

} // namespace

void codegen::addViewPatterns(RewritePatternSet &patterns) {
  patterns.add<CutByArithmetic, ExpandByItsShape, CollapseByItsStrides>(
      patterns.getContext());
}
