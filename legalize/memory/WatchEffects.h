//===- WatchEffects.h - holds libraries to what they declare ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_WATCHEFFECTS_H
#define BROADLOOM_LEGALIZE_MEMORY_WATCHEFFECTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {

/// Code in a function of another library that compares its arguments' memory
/// before and behind the call (ffi-3). Elements that are declared to be written
/// are marked in memory of their own.
class WatchEffects {
public:
  /// Begins at the function's entry.
  explicit WatchEffects(mlir::func::FuncOp func);

  /// Marks what `store`, an operation that is about to be replaced, writes.
  /// Fails, with an error, where it is about a view of an argument.
  llvm::LogicalResult mark(mlir::Operation *store);

  /// Compares behind `call`, and frees what was made.
  void compare(mlir::Operation *call);

private:
  struct Watched {
    /// Elements from before the call, and which of them may change.
    mlir::Value before, marks;
  };

  mlir::func::FuncOp func;
  llvm::MapVector<mlir::Value, Watched> arguments;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_WATCHEFFECTS_H
