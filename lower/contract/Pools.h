//===- Pools.h - windows without weights ------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pools become contractions if the channels fill at least half a vector of 8.
// For fewer channels, LLVM vectorises the columns of loops; these pools stay,
// and add in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_CONTRACT_POOLS_H
#define BROADLOOM_LOWER_CONTRACT_POOLS_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {

/// Replaces a pool of floats whose maxima propagate NaN; others stay.
void convertMaxPool(mlir::IRRewriter &rewriter, mlir::tosa::MaxPool2dOp op);

/// Replaces a pool of floats that sums in f32, if the types determine how many
/// elements of the image each window reads. Others stay, as do pools of very
/// many windows along an axis with padding.
void convertAveragePool(mlir::IRRewriter &rewriter, mlir::tosa::AvgPool2dOp op);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_CONTRACT_POOLS_H
