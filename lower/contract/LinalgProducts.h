//===- LinalgProducts.h - sums of products of two tensors -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_LINALGPRODUCTS_H
#define BROADLOOM_LOWER_CONTRACT_LINALGPRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {

/// What is filled with zeros, or the zeros themselves if they are a constant: a
/// tensor of the same extents, for which no zeros need to be computed.
mlir::Value getFilled(mlir::Value zeros);

/// Returns the contraction that computes `op`, with the result's type; null,
/// without effect, unless `op` adds products of the elements of two operands,
/// every axis of a tensor is one loop, one operand has an axis that the other
/// does not have, and kernels support the types (isSummed). The destination
/// must be 0 everywhere, or else be `bias`, which is added to the sums.
///
/// The loops are sorted by the operands that they go through: all three, the
/// first and the result, the second and the result, or the two operands. The
/// axes of each kind become one axis; an operand that has them in another order
/// is transposed.
mlir::Value contractProduct(mlir::IRRewriter &rewriter,
                            mlir::linalg::LinalgOp op, mlir::Value bias = {});

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_LINALGPRODUCTS_H
