//===- Ownership.h - which values own their memory --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis behind codegen/buffers/InsertCopies.h. It looks at the uses of
// one value at a time.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_OWNERSHIP_H
#define BROADLOOM_CODEGEN_BUFFERS_OWNERSHIP_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::codegen {

class Ownership {
public:
  /// Whether `use` may take over the memory of the value that it uses: the
  /// value owns it, and nobody reads the value when `use` has run.
  bool canTakeOver(mlir::OpOperand &use);

  /// Whether a value that a region or a loop receives is to own its memory,
  /// because something behind it wants to write there. Then whatever is handed
  /// to it owns its memory, or is copied.
  bool wantsOwnership(mlir::Value value);

private:
  bool owns(mlir::Value value);
  bool computeOwns(mlir::Value value);
  bool computeWants(mlir::Value value);
  bool wants(mlir::OpOperand &use);

  llvm::DenseMap<mlir::Value, bool> owners, wanted;
};

/// Whether `operation` writes to the memory of this operand of its own, and its
/// result is that memory.
bool writesTo(mlir::OpOperand &operand);

/// The values that `use` hands its operand on to by way of a region: results of
/// operations and arguments of their regions. Empty where there are none.
llvm::SmallVector<mlir::Value, 2> getTargets(mlir::OpOperand &use);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_OWNERSHIP_H
