//===- Dilate.h - transposed convolutions as convolutions -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution is a convolution with stride 1 of the image with
// zeros between its elements and around them, and of the kernel reversed
// (sum-1).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_DILATE_H
#define BROADLOOM_LOWER_CONTRACT_DILATE_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::lower {

/// The image of `op` with `stride` - 1 elements `zero` between its elements,
/// and padded with `zero` as far as the kernel reaches beyond it.
mlir::Value dilateImage(mlir::OpBuilder &builder,
                        mlir::tosa::TransposeConv2DOp op, int64_t zero);

/// The weight of `op` with rows and columns in the opposite order.
mlir::Value reverseKernel(mlir::OpBuilder &builder,
                          mlir::tosa::TransposeConv2DOp op);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_DILATE_H
