//===- VariableName.h - the variables among arguments -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions take variables after their own arguments (legalize/state/).
// Messages use the names of variables, because users did not write these
// arguments.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_VARIABLENAME_H
#define BROADLOOM_DIALECT_VARIABLENAME_H

#include "mlir/IR/Value.h"

namespace broadloom::loom {

/// On a function: an array with a dictionary for each variable that it takes,
/// in the order of its last arguments: `name`, `written` (a unit, where it is
/// one of the last results), `in_place` (a unit, of kInPlace), and `initial`
/// (elements; all are 0 where this is missing).
inline constexpr llvm::StringLiteral kState = "loom.state";

/// On a `tosa.variable`, a unit: a call may write its value in place, and
/// loses it where the call fails behind that (abi-8).
inline constexpr llvm::StringLiteral kInPlace = "loom.in_place";

/// The name of the variable that a function takes as `argument`; empty for
/// other arguments.
llvm::StringRef getVariableName(mlir::BlockArgument argument);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_VARIABLENAME_H
