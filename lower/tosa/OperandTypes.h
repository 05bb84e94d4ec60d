//===- OperandTypes.h - results have the types of operands ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result type may have static extents that are dynamic in the operands'
// types, as in `tosa.reverse : (tensor<?x3xf32>) -> tensor<5x3xf32>`. Guards
// before the operation compare them (rt-4); in a pipeline without guards the
// user is responsible. Upstream's lowerings of some operations derive the
// result type from the operands' types alone, which does not match the declared
// type.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_OPERANDTYPES_H
#define BROADLOOM_LOWER_TOSA_OPERANDTYPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace broadloom::lower {

/// `type` with `?` for all extents.
mlir::RankedTensorType openExtents(mlir::RankedTensorType type);

/// Gives the results of such operations in `module` the types that follow from
/// the operands' types, and casts them to their declared types.
void takeOperandTypes(mlir::ModuleOp module);

/// Inserts a cast to dynamic extents into each cast whose types contradict each
/// other: upstream's lowerings create such casts to declared types in code
/// after a guard that always fails.
void openContradictions(mlir::ModuleOp module);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_OPERANDTYPES_H
