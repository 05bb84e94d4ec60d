//===- RefineRanks.h - ranks that follow from operands ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most operations can only be lowered with known ranks, while programs may
// leave the ranks of their intermediate values to inference.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_REFINERANKS_H
#define BROADLOOM_INFER_ANALYSIS_REFINERANKS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::infer {

class ShapeLibrary;

/// Whether an operand or a result of `op` has no rank by its type.
bool hasUnknownRank(mlir::Operation *op);

/// Gives operands and results of unknown rank the rank that shape functions
/// infer, across regions and calls (sf-8), with all extents open: what is
/// required of the extents is left to the operation's own constraints. Where an
/// argument has no rank, its promise tells one (abi-1), but only within its
/// function.
/// Signatures and what control flow passes on keep their types. A result has
/// the inferred rank only if the requirements of its operation hold, so each of
/// these must be checked later. bcast-6 An operation that `verifies` would
/// reject with better types keeps its own.
void refineRanks(
    mlir::ModuleOp module, const ShapeLibrary &library,
    llvm::function_ref<llvm::LogicalResult(mlir::Operation *op)> verifies);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REFINERANKS_H
