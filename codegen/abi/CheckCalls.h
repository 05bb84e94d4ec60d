//===- CheckCalls.h - calls that can be compiled ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the calls of a program: every callee has a body. Also finds recursive
// functions, whose calls get a check of the stack.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_CHECKCALLS_H
#define BROADLOOM_CODEGEN_ABI_CHECKCALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::codegen {

/// Reports the first call in `module` of a function without a body. Fails if
/// there is one, for any severity.
llvm::LogicalResult
checkCalls(mlir::ModuleOp module,
           mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);

/// The names of recursive functions. The depth of recursion is not known, and
/// the stack is limited.
llvm::StringSet<> findRecursive(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_CHECKCALLS_H
