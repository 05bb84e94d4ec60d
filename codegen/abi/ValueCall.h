//===- ValueCall.h - a call of a function by value --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller's side of FunctionFrame::Convention::Values: a shape query is
// called by other shape queries, and by the entry that the runtime calls.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_VALUECALL_H
#define BROADLOOM_CODEGEN_ABI_VALUECALL_H

#include "codegen/abi/RuntimeCalls.h"

namespace broadloom::codegen {

class ValueCall {
public:
  /// `results` are the callee's, numbers and shapes, without the status.
  ValueCall(RuntimeCalls &runtime, mlir::TypeRange results);

  /// The memory that the call needs for its results; 0 if they are returned.
  int64_t memoryBytes() const;

  /// Makes the call; `memory` has memoryBytes() bytes, aligned to 8; null for 0
  /// bytes. Returns the status.
  mlir::Value make(mlir::OpBuilder &b, mlir::Location loc,
                   llvm::StringRef callee, mlir::Value state,
                   mlir::Value memory, mlir::ValueRange arguments);

  /// A result, read here if it is in memory. The status has been checked.
  mlir::Value result(mlir::OpBuilder &b, mlir::Location loc, size_t index);

private:
  RuntimeCalls &runtime;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<int64_t> offsets;
  mlir::Value memory;
  mlir::ValueRange returned;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_VALUECALL_H
