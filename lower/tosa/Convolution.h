//===- Convolution.h - sums of products over windows ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convolutions and transposed ones share: seven loops over batch, rows,
// columns, the kernel's rows and columns, and output and input channels, that
// add to what begins as the bias.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_CONVOLUTION_H
#define BROADLOOM_LOWER_TOSA_CONVOLUTION_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace broadloom::lower {

/// A tensor of these extents, the last of which are channels, with the bias of
/// each, or the only one, in type `sum`.
mlir::Value startWithBias(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<mlir::OpFoldResult> extents,
                          mlir::Type sum, mlir::Value bias);

/// An operand of a convolution, NHWC or OHWI, and its zero point, null for
/// floats.
struct Factor {
  mlir::Value value, zeroPoint;
  mlir::AffineMap map;
};

/// `start` plus the products; what it is computed in is its element type.
mlir::Value addProducts(mlir::OpBuilder &builder, mlir::Location loc,
                        Factor image, Factor weight, mlir::Value start,
                        mlir::AffineMap to,
                        llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// The tensor with elements of another type.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::OpFoldResult> extents,
                            mlir::Value tensor, mlir::Type elementType);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_CONVOLUTION_H
