//===- Convolution.h - sums of products over windows ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by convolutions, transposed and depthwise ones: loops over batch,
// image, kernel and channels that add products to the bias.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_CONVOLUTION_H
#define BROADLOOM_LOWER_TOSA_CONVOLUTION_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace broadloom::lower {

/// A tensor of these extents, of which the last `channelAxes` are channels in
/// row-major order, with the bias of each, or the only one, in type `sum`.
mlir::Value startWithBias(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<mlir::OpFoldResult> extents,
                          mlir::Type sum, mlir::Value bias,
                          unsigned channelAxes = 1);

/// An operand of a convolution and its zero point, null for floats.
struct Factor {
  mlir::Value value, zeroPoint;
  mlir::AffineMap map;
};

/// The operand with its zero point in type `sum`, still without a map.
Factor readFactor(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value value, mlir::Value zeroPoint, mlir::Type sum);

/// The image padded with `pad` elements before and after its rows, columns and
/// planes, which count as 0.
mlir::Value padImage(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value image, mlir::Value zeroPoint,
                     llvm::ArrayRef<int64_t> pad);

/// The image of a convolution, padded, and its weight.
template <typename Op>
std::pair<Factor, Factor> readFactors(mlir::OpBuilder &b, Op op,
                                      typename Op::Adaptor operands) {
  mlir::Location loc = op.getLoc();
  mlir::Type sum = op.getAccType();
  mlir::Value padded =
      padImage(b, loc, operands.getInput(), operands.getInputZp(), op.getPad());
  return {
      readFactor(b, loc, padded, operands.getInputZp(), sum),
      readFactor(b, loc, operands.getWeight(), operands.getWeightZp(), sum)};
}

/// `start` plus the products, computed in the element type of `start`.
mlir::Value addProducts(mlir::OpBuilder &builder, mlir::Location loc,
                        Factor image, Factor weight, mlir::Value start,
                        mlir::AffineMap to,
                        llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// Whether `op`, whose last operands are two zero points, sums products of
/// integers and has zero points that are not constants.
bool hasOpenZeroPoints(mlir::Operation *op);

/// The tensor with elements of another type.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::OpFoldResult> extents,
                            mlir::Value tensor, mlir::Type elementType);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_CONVOLUTION_H
