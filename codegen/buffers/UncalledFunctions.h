//===- UncalledFunctions.h - functions that callers alone run ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_UNCALLEDFUNCTIONS_H
#define BROADLOOM_CODEGEN_BUFFERS_UNCALLEDFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::codegen {

/// The public functions with bodies that no function of the module calls: only
/// one call of such a function runs at a time for a caller.
inline llvm::SmallVector<mlir::func::FuncOp>
findUncalled(mlir::ModuleOp module) {
  llvm::StringSet<> called;
  module.walk(
      [&](mlir::func::CallOp call) { called.insert(call.getCallee()); });
  llvm::SmallVector<mlir::func::FuncOp> functions;
  for (auto func : module.getOps<mlir::func::FuncOp>())
    if (!func.isExternal() && func.isPublic() &&
        !called.contains(func.getName()))
      functions.push_back(func);
  return functions;
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_UNCALLEDFUNCTIONS_H
