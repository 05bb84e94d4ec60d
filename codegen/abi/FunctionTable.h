//===- FunctionTable.h - what a compiled program has ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbol `broadloom_functions` of runtime/abi/Abi.h: the functions that can
// be called, with their shape queries.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_FUNCTIONTABLE_H
#define BROADLOOM_CODEGEN_ABI_FUNCTIONTABLE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace broadloom::codegen {

/// Records on an entry what buildFunctionTable writes about it. `type` is that
/// of its function, `isOfCaller` has the arguments that are the caller's
/// memory, `why` the reason for which it has no shape query, or null, and
/// `planned` the size of its planned memory.
void describeEntry(mlir::func::FuncOp entry, llvm::StringRef name,
                   mlir::FunctionType type,
                   const llvm::SmallBitVector &isOfCaller, mlir::StringAttr why,
                   int64_t planned);

/// Writes the table from the recorded data of the entries in `module`, which
/// are functions of the LLVM dialect.
void buildFunctionTable(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_FUNCTIONTABLE_H
