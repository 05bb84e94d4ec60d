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

/// Of a store that stands for elements that are not read before (ffi-7).
inline constexpr llvm::StringLiteral kInitializes = "loom.initializes";
/// Of a store that stands for elements that each call that returns has written.
inline constexpr llvm::StringLiteral kIsSure = "loom.is_sure";

/// Code in a function of another library that compares its arguments' memory
/// before and behind the call (ffi-3). Elements that are declared to be written
/// are marked in memory of their own. A function that is declared to be
/// deterministic is called a second time, with other numbers in the elements
/// that are not declared to be read. It does the same, and leaves none of these
/// numbers where it surely writes (ffi-7).
class WatchEffects {
public:
  /// Begins at the function's entry.
  WatchEffects(mlir::func::FuncOp func, bool repeats);

  /// Marks what `access`, an operation that may be about to be replaced, reads
  /// or writes. Fails, with an error, where it is about a view of an argument.
  llvm::LogicalResult mark(mlir::Operation *access);

  /// What messages call the arguments; "" for numbers.
  mlir::ArrayAttr getNames(mlir::OpBuilder &b);

  /// Compares behind `call`, and frees what was made.
  void compare(mlir::Operation *call);

private:
  struct Watched {
    /// Elements from before the call, and which of them may change.
    mlir::Value before, marks;
    /// Which of them may be read, and which are surely written; null if nobody
    /// asks.
    mlir::Value reads, sure;
  };
  using Arguments = llvm::MapVector<mlir::Value, Watched>;

  void compareWrites(mlir::OpBuilder &b, mlir::Location loc);
  void repeat(mlir::OpBuilder &b, mlir::Operation *call);
  void compareCalls(mlir::OpBuilder &b, mlir::Location loc,
                    mlir::Value argument, const Watched &watched,
                    mlir::Value first, mlir::Value second,
                    const std::string &message);
  mlir::Value getStart(mlir::OpBuilder &b, mlir::Location loc,
                       const Watched &watched, mlir::ValueRange indices);
  void require(mlir::OpBuilder &b, mlir::Location loc, mlir::Value good,
               const std::string &message, mlir::ValueRange indices);

  mlir::func::FuncOp func;
  const bool repeats;
  Arguments arguments;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_WATCHEFFECTS_H
