//===- CheckCalls.h - calls that can be compiled ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who may call whom: every callee has a body, and none leads back to its
// caller.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_CHECKCALLS_H
#define BROADLOOM_CODEGEN_CHECKCALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace broadloom::codegen {

/// Reports the first call in `module` of a function without a body, or that
/// leads back to its caller. Fails then, whatever the severity.
llvm::LogicalResult
checkCalls(mlir::ModuleOp module,
           mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_CHECKCALLS_H
