//===- EntryPoint.h - a function as the runtime calls it --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry of a public function in the runtime's ABI (BroadloomEntry): checks
// the arguments, calls the function, and returns its results. The size of its
// code does not depend on the number of results.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_ENTRYPOINT_H
#define BROADLOOM_CODEGEN_ABI_ENTRYPOINT_H

#include "codegen/abi/RuntimeCalls.h"
#include "llvm/ADT/SmallBitVector.h"

namespace broadloom::codegen {

/// Makes `broadloom_entry_<name>` for `callee`, a lowered function, whose type
/// was `type` before it was lowered. `isOfCaller` has the arguments that are
/// the caller's memory. Returns the entry.
mlir::func::FuncOp buildEntryPoint(mlir::func::FuncOp callee,
                                   llvm::StringRef name,
                                   mlir::FunctionType type,
                                   const llvm::SmallBitVector &isOfCaller,
                                   RuntimeCalls &runtime);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_ENTRYPOINT_H
