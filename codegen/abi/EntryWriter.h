//===- EntryWriter.h - what all entries do ----------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common parts of the entries of a function (BroadloomEntry) and of its
// shape query (BroadloomShapes).
//
// Invariant: callers may pass anything to an entry. The entry checks what the
// code relies on before it reads anything.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_ENTRYWRITER_H
#define BROADLOOM_CODEGEN_ABI_ENTRYWRITER_H

#include "codegen/abi/RuntimeCalls.h"

namespace broadloom::codegen {

class EntryWriter {
public:
  EntryWriter(RuntimeCalls &runtime, mlir::Location loc)
      : runtime(runtime), loc(loc) {}

protected:
  /// Emits a return of `status` if it is not 0; moves `b` to the code that
  /// follows.
  void returnUnlessOk(mlir::OpBuilder &b, mlir::Value status);
  /// Emits a failure of the call unless argument `index` has the rank and the
  /// extents of a type; moves `b` to the code that follows.
  void checkArgument(mlir::OpBuilder &b, mlir::Value call, mlir::Value views,
                     int32_t index, llvm::ArrayRef<int64_t> extents);
  /// Loads an extent of an argument whose rank has been checked.
  mlir::Value loadExtent(mlir::OpBuilder &b, mlir::Value views, int32_t index,
                         int64_t rank, int32_t axis);

  mlir::func::FuncOp entry;
  RuntimeCalls &runtime;
  mlir::Location loc;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_ENTRYWRITER_H
