//===- LoomFusedReduction.h - what depends on what in one -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extents of a value in the body of a loom.fused_reduction are the
// broadcast of those of the operands that it depends on. Invariant: an operand
// on which a value depends only through a reduction counts only along the kept
// axes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMFUSEDREDUCTION_H
#define BROADLOOM_DIALECT_LOOMFUSEDREDUCTION_H

#include "dialect/LoomDialect.h"

#include "llvm/ADT/DenseMap.h"

namespace broadloom::loom {

/// Checks that the body of `op`, a map or a fused reduction, computes on
/// scalars and has no effects.
llvm::LogicalResult verifyScalarBody(mlir::Operation *op);

/// Checks that `body`, that of `op`, ends in a loom.yield of a value for each
/// result, of the result's element type.
llvm::LogicalResult verifyYield(mlir::Operation *op, mlir::Block &body);

/// Checks that `axes`, those that `op` reduces, are in order and within `rank`.
llvm::LogicalResult verifyAxes(mlir::Operation *op,
                               llvm::ArrayRef<int64_t> axes, int64_t rank);

/// The operands on which a value depends, as bits: at all, and element by
/// element along the reduced axes.
struct RowDependence {
  uint64_t operands = 0;
  uint64_t direct = 0;
};

/// For all values of a body with at most 64 arguments, constants aside.
llvm::DenseMap<mlir::Value, RowDependence> getRowDependences(mlir::Block &body);

/// The shaped operands whose broadcast along `axis` gives the extent of a value
/// with this dependence.
llvm::SmallVector<mlir::Value> getInputsAlong(FusedReductionOp op,
                                              const RowDependence &dependence,
                                              int64_t axis);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMFUSEDREDUCTION_H
