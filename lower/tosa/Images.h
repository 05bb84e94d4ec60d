//===- Images.h - TOSA's operations on images -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tosa.avg_pool2d`, `tosa.resize`, `tosa.transpose_conv2d` and
// `tosa.depthwise_conv2d`, which upstream lowers only for static heights and
// widths, and with wrong values if a resize begins before the image's border.
// One lowering is used for static and dynamic extents, so that declared types
// do not change values (img-1, bcast-7). Also `tosa.conv2d` and `tosa.conv3d`
// with dynamic extents that upstream does not support, in upstream's order of
// additions.
//
// Invariant: the shape function of the operation has been checked before it;
// under its constraints nothing outside an operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_IMAGES_H
#define BROADLOOM_LOWER_TOSA_IMAGES_H

#include "infer/functions/ResultExtents.h"
#include "lower/tosa/Elements.h"

#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {

/// A pattern that gets the extents of its result from a shape function.
template <typename Op> struct ImagePattern : mlir::OpConversionPattern<Op> {
  using OpAdaptor = typename Op::Adaptor;

  /// `shapes` must outlive the patterns.
  ImagePattern(mlir::TypeConverter &converter, mlir::MLIRContext *context,
               const infer::ResultExtents &shapes)
      // Higher than the benefit of upstream's patterns, which is up to 300 for
      // a resize.
      : mlir::OpConversionPattern<Op>(converter, context, /*benefit=*/1000),
        shapes(shapes) {}

  llvm::LogicalResult
  matchAndRewrite(Op op, OpAdaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const final {
    if (!applies(op))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    auto type = mlir::cast<mlir::RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
    auto extents = shapes.emit(rewriter, op, 0, adaptor.getOperands());
    if (llvm::failed(extents))
      return rewriter.notifyMatchFailure(op, "nothing tells the extents");
    mlir::Value result =
        compute(rewriter, op, adaptor, *extents, type.getElementType());
    if (!result)
      return rewriter.notifyMatchFailure(op, "nothing tells a shape");
    replaceWithCast(rewriter, op, type, result);
    return llvm::success();
  }

protected:
  virtual bool applies(Op) const { return true; }
  /// Computes the result, of these extents; null if a shape operand is not
  /// known.
  virtual mlir::Value compute(mlir::OpBuilder &builder, Op op,
                              OpAdaptor adaptor,
                              llvm::ArrayRef<mlir::OpFoldResult> extents,
                              mlir::Type elementType) const = 0;

  const infer::ResultExtents &shapes;
};

/// `tosa.reshape`, `tosa.slice`, `tosa.tile` and `tosa.pad`, whose shapes may
/// be known only at run time.
void populateMoves(mlir::TypeConverter &converter,
                   mlir::RewritePatternSet &patterns,
                   const infer::ResultExtents &shapes);
void populateConcatenation(mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// Makes concatenations begin with the result of an earlier one in their block
/// whose operands they begin with, along the same axis: that is one copy in
/// place of several, of longer rows.
void shareConcatenations(mlir::ModuleOp module);
/// `tosa.gather` and `tosa.scatter`.
void populateIndexed(mlir::TypeConverter &converter,
                     mlir::RewritePatternSet &patterns);
void populateAveragePool(mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const infer::ResultExtents &shapes);
/// `tosa.max_pool2d` of floats.
void populateMaxPool(mlir::TypeConverter &converter,
                     mlir::RewritePatternSet &patterns,
                     const infer::ResultExtents &shapes);
/// `tosa.fft2d` and `tosa.rfft2d`.
void populateFourier(mlir::TypeConverter &converter,
                     mlir::RewritePatternSet &patterns);
/// `tosa.matmul` with zero points that are not constants.
void populateMatMul(mlir::TypeConverter &converter,
                    mlir::RewritePatternSet &patterns,
                    const infer::ResultExtents &shapes);
/// `tosa.rescale` with multipliers, shifts or zero points that are not
/// constants.
void populateRescale(mlir::TypeConverter &converter,
                     mlir::RewritePatternSet &patterns,
                     const infer::ResultExtents &shapes);
void populateResize(mlir::TypeConverter &converter,
                    mlir::RewritePatternSet &patterns,
                    const infer::ResultExtents &shapes);
void populateConvolution(mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const infer::ResultExtents &shapes);
void populateDepthwiseConvolution(mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  const infer::ResultExtents &shapes);
void populateTransposeConvolution(mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  const infer::ResultExtents &shapes);

/// Whether `op` is a `tosa.conv2d` or `tosa.conv3d` that upstream does not
/// lower, because some of its extents are dynamic or its zero points are not
/// constants.
bool isOpenConvolution(mlir::Operation *op);

/// Whether `op` is a `tosa.rescale` by numbers that are not constants.
bool isOpenRescale(mlir::Operation *op);

/// Whether one of these patterns will need dynamic extents of `op`.
bool needsShapeFunction(mlir::Operation *op);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_IMAGES_H
