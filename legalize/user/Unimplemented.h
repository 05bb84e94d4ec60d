//===- Unimplemented.h - operations without implementation ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users' operations without a reference implementation can be checked, and
// their shapes inferred, but not compiled.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_USER_UNIMPLEMENTED_H
#define BROADLOOM_LEGALIZE_USER_UNIMPLEMENTED_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Reports one error at the first operation of `module` without an
/// implementation, with a note for each such operation, and a note that says
/// what to do. A caller that needs shapes alone reports a warning instead.
llvm::LogicalResult reportUnimplemented(
    mlir::ModuleOp module,
    mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);

/// Reports that the rank of `result` is unknown. The operation of `result` has
/// a shape function and no implementation.
llvm::LogicalResult reportUnknownRank(mlir::OpResult result);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_USER_UNIMPLEMENTED_H
