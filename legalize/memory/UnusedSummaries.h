//===- UnusedSummaries.h - functions that only tell effects -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_UNUSEDSUMMARIES_H
#define BROADLOOM_LEGALIZE_MEMORY_UNUSEDSUMMARIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// Set on a module while operations that may name its functions are out of it.
inline constexpr llvm::StringLiteral kLeavesOthers = "broadloom.leaves_others";

/// Erases the private ones of `summaries`, functions of which nothing is needed
/// any more, that nothing calls, and what they alone call (ffi-1). Nothing is
/// erased where that is not known (kLeavesOthers).
void eraseUnusedSummaries(mlir::ModuleOp module,
                          llvm::ArrayRef<mlir::func::FuncOp> summaries);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_UNUSEDSUMMARIES_H
