//===- MakeContraction.h - of TOSA's and linalg's operations ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_MAKECONTRACTION_H
#define BROADLOOM_LOWER_CONTRACT_MAKECONTRACTION_H

#include "runtime/abi/ContractionKind.h"

#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {

/// The type of sums, and the zero points of the factors.
struct ContractedSum {
  mlir::Type type;
  /// The zero points of the image and of the weight; empty for floats, whose
  /// zero points are 0 (TOSA 1.0, 2.4).
  llvm::SmallVector<int64_t> zeroPoints;
};

/// The window's attributes; a product of matrices has none.
struct ContractedWindow {
  llvm::ArrayRef<int64_t> strides, dilations, pads;
  ContractionKind kind = ContractionKind::Products;
};

/// Fills the region of a contraction or of its launch: each sum, converted to
/// elements of type `element`. To the sum is added an element of type `bias`
/// unless that is null.
void addContractionBody(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Region &region, mlir::Type sum, mlir::Type bias,
                        mlir::Type element);

/// A contraction of type `type` that adds `bias`, if there is one, to each sum.
mlir::Value makeContraction(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type type, mlir::Value image,
                            mlir::Value weight, mlir::Value bias,
                            const ContractedSum &sum,
                            const ContractedWindow &window);

/// Replaces `op`, of one result, by a contraction that adds `bias`, if there is
/// one, to each sum.
void replaceByContraction(mlir::IRRewriter &rewriter, mlir::Operation *op,
                          mlir::Value image, mlir::Value weight,
                          mlir::Value bias, const ContractedSum &sum,
                          const ContractedWindow &window);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_MAKECONTRACTION_H
