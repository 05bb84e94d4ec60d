//===- Weights.h - the layout of weights ------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of constant weights is changed when the program is compiled, that
// of others when it runs.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_WEIGHTS_H
#define BROADLOOM_LOWER_CONTRACT_WEIGHTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace broadloom::lower {

/// Whether kernels support sums of type `sum` of products of these types.
bool isSummed(mlir::Type image, mlir::Type weight, mlir::Type sum);

/// The constant of this type whose axis `i` is axis `order[i]` of `constant`,
/// with elements of 1, 2, 4 or 8 bytes; null for others, and if the attribute
/// does not have these.
mlir::ElementsAttr permuteConstant(mlir::ElementsAttr constant,
                                   mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> order);

/// `constant` with axes `first` and the next in the opposite order; null if the
/// attribute does not have its bytes.
mlir::ElementsAttr reverseAxes(mlir::ElementsAttr constant, int64_t first);

/// The constant of this type with the same elements in the same order; null if
/// the types of elements differ or the attribute does not have its bytes.
mlir::ElementsAttr reshapeConstant(mlir::ElementsAttr constant,
                                   mlir::RankedTensorType type);

/// The same of a value that is such a constant; null for any other value.
mlir::Value reshapeIfConstant(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, mlir::RankedTensorType type);

/// The tensor whose axis `i` is axis `order[i]` of `tensor`: a constant of a
/// constant, and `tensor` itself if each axis stays where it is or `order` is
/// empty.
mlir::Value permuteAxes(mlir::OpBuilder &builder, mlir::Value tensor,
                        llvm::ArrayRef<int64_t> order);

/// The tensor whose last axis is the last two of `weight`.
mlir::Value joinLastAxes(mlir::OpBuilder &builder, mlir::Value weight);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_WEIGHTS_H
