//===- Origin.h - whose operation an operation is of ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors in a reference implementation have the name and location of the
// user's operation, not only those of its own operations (rt-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_ORIGIN_H
#define BROADLOOM_INFER_FUNCTIONS_ORIGIN_H

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// Marks `part` as a part of the replacement of `op`: sets its origin, and its
/// location, with that of `op` first.
void setOrigin(mlir::Operation *part, mlir::Operation *op);

/// Marks `form`, an operation of any dialect, as what `op` has become: with the
/// origin and the location of `op`.
void takeOrigin(mlir::Operation *form, mlir::Operation *op);

/// Has messages call `op` by `name`, at `location`.
void setOrigin(mlir::Operation *op, llvm::StringRef name,
               mlir::Location location);

/// Whether messages call `op` by another name than its own.
bool hasOrigin(mlir::Operation *op);

/// The name for messages: the operation's own, or that of the operation that it
/// replaces.
llvm::StringRef getOrigin(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_ORIGIN_H
