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

/// Returns the contraction that computes `op`, with the result's type; null,
/// without effect, unless `op` adds to each element of its destination products
/// of two operands whose elements an axis of a loop each selects, of types that
/// kernels support (isSummed), and the destination is 0 everywhere, which the
/// caller has checked.
///
/// The loops are sorted by the operands that they go through: all three, the
/// first and the result, the second and the result, or the two operands. The
/// axes of each kind become one axis; an operand that has them in another order
/// is transposed.
mlir::Value contractProduct(mlir::IRRewriter &rewriter,
                            mlir::linalg::LinalgOp op);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_LINALGPRODUCTS_H
