//===- Elements.h - tensors, element by element -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings of TOSA's operations on images share.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_ELEMENTS_H
#define BROADLOOM_LOWER_TOSA_ELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {

/// Emits an element from those of the inputs with the same indices, and from
/// the indices, which `linalg.index` gives.
using ElementBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Computes a tensor of these extents, which the inputs have too.
mlir::Value computeElements(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::OpFoldResult> extents,
                            mlir::Type elementType, mlir::ValueRange inputs,
                            ElementBody body);

/// The element of a tensor of one element, in `type`.
mlir::Value readZeroPoint(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value zeroPoint, mlir::Type type);

/// Replaces the only result of `op`, through a cast if `value` has another
/// type.
void replaceWithCast(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                     mlir::Type type, mlir::Value value);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_ELEMENTS_H
