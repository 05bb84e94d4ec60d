//===- MovableValues.h - what computes a number in loops -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_MOVABLEVALUES_H
#define BROADLOOM_CODEGEN_MEMORY_MOVABLEVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

/// Whether the operation may run in another place, and in iterations in which
/// the program does not run it.
bool isMovable(mlir::Operation &op);

/// The variable that `affine.apply` passes on, or `value`.
mlir::Value withoutIdentity(mlir::Value value);

/// Whether movable operations compute the values alike, from the same values.
bool areSame(mlir::ValueRange xs, mlir::ValueRange ys);

/// The map of `affine.apply`, `affine.min` or `affine.max`; null for others.
mlir::AffineMap getMap(mlir::Operation *op);

/// The operands that the results of a movable operation depend on: a map may
/// leave some out.
llvm::SmallVector<mlir::Value> getUsedOperands(mlir::Operation *op);

/// A copy of a movable operation, whose operands are mapped, without those that
/// it does not use.
mlir::Operation *cloneUsed(mlir::OpBuilder &b, mlir::Operation *op,
                           mlir::IRMapping &mapping);

/// Adds the arguments of blocks in the loop `root`, such as variables of loops,
/// of which movable operations compute `value`. False if it is computed of
/// anything else that is in the loop.
bool findVariables(mlir::Value value, mlir::scf::ForOp root,
                   llvm::SmallVectorImpl<mlir::Value> &variables);

/// Computes again what movable operations in the loop `root` compute of its
/// variables, which `mapping` has; it learns what is computed.
mlir::Value compute(mlir::OpBuilder &b, mlir::Value value,
                    mlir::scf::ForOp root, mlir::IRMapping &mapping);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_MOVABLEVALUES_H
