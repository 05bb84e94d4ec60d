//===- Unimplemented.h - operations that nobody computes --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users' operations without a reference implementation can be checked and
// their shapes inferred; code cannot be made of them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_USER_UNIMPLEMENTED_H
#define BROADLOOM_IMPORT_USER_UNIMPLEMENTED_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// One error at the first operation of `module` that nobody computes, with a
/// note for each and what to do; a warning for who asks about shapes alone.
llvm::LogicalResult reportUnimplemented(
    mlir::ModuleOp module,
    mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_USER_UNIMPLEMENTED_H
