//===- OperandTypes.h - results have the types of operands ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result may declare extents that the operands' types leave open, as in
// `tosa.reverse : (tensor<?x3xf32>) -> tensor<5x3xf32>`. Guards ahead of the
// operation compare them (rt-4), or the user of a pipeline without guards
// answers for them. Upstream's lowerings of some operations make the result
// from the operands' types alone, and these do not fit each other then.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_OPERANDTYPES_H
#define BROADLOOM_LOWER_TOSA_OPERANDTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::lower {

/// Gives the results of such operations in `module` the types that follow from
/// the operands' types, and casts them to their declared types.
void takeOperandTypes(mlir::ModuleOp module);

/// Inserts a cast to dynamic extents into each cast whose types contradict each
/// other: upstream's lowerings create such casts to declared types in code
/// after a guard that always fails.
void openContradictions(mlir::ModuleOp module);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_OPERANDTYPES_H
