//===- AffineExpansion.h - affine expressions as arithmetic -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An affine expression over values, as operations of `arith`. Sums and products
// wrap and have no flags (rt-13); upstream's expansion gives products the flag
// `nsw`, and negates the dividend of a ceildiv, which overflows for the least
// integer. Divisors must be at least 1: guards check those that are not
// constants (rt-11).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_AFFINEEXPANSION_H
#define BROADLOOM_SCALAR_AFFINEEXPANSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

namespace broadloom::scalar {

/// Emits `expression`. `operands` are the values of its dimensions, of which
/// there are `numDims`, and then of its symbols.
mlir::Value expandAffine(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::AffineExpr expression, unsigned numDims,
                         mlir::ValueRange operands);

/// Emits the only result of `map`, or the minimum or maximum of its results by
/// the operation `Choice` of `arith`.
template <typename Choice>
mlir::Value expandAffineMap(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::AffineMap map, mlir::ValueRange operands) {
  mlir::Value best;
  for (mlir::AffineExpr expression : map.getResults()) {
    mlir::Value next =
        expandAffine(builder, loc, expression, map.getNumDims(), operands);
    best = best ? mlir::Value(Choice::create(builder, loc, best, next)) : next;
  }
  return best;
}

/// Calls `function` for each quotient and remainder in `expression` whose
/// divisor is not a constant, nested ones first.
void forEachOpenDivision(
    mlir::AffineExpr expression,
    llvm::function_ref<void(mlir::AffineBinaryOpExpr)> function);

/// Whether there is such a quotient or remainder.
bool hasOpenDivision(mlir::AffineExpr expression);

/// The quotient or remainder in `expression` whose divisor is a constant below
/// 1, if there is one.
mlir::AffineExpr findBadDivision(mlir::AffineExpr expression);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_AFFINEEXPANSION_H
