//===- JoinLimits.h - one comparison for each index -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_JOINLIMITS_H
#define BROADLOOM_CODEGEN_MEMORY_JOINLIMITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// In the conditions of the guards of `func`, `0 <= index` and `index < extent`
/// become one unsigned comparison: extents are not negative (mem-1, mem-11).
/// What is no longer used is erased. Takes time linear in the number of
/// operations.
void joinLimits(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_JOINLIMITS_H
