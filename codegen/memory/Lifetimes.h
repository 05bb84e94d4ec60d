//===- Lifetimes.h - memory that may have been freed ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_LIFETIMES_H
#define BROADLOOM_CODEGEN_MEMORY_LIFETIMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::codegen {

/// The functions of a program over memory that free memory, themselves or
/// through a call.
llvm::StringSet<> findFreeingFunctions(mlir::ModuleOp module);

/// Checks before each use of memory that nobody has freed it (mem-6), where the
/// function itself does not show that. `freeing` has the functions that free.
void checkLifetimes(mlir::func::FuncOp func, const llvm::StringSet<> &freeing);

/// Checks before each write to memory that may be a constant's that it is not,
/// where a program hands constants on to functions or blocks (mem-14).
void checkConstants(mlir::ModuleOp module,
                    llvm::ArrayRef<mlir::func::FuncOp> functions);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LIFETIMES_H
