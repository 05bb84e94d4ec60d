//===- Ownership.h - which values own their memory --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis behind codegen/buffers/InsertCopies.h. It considers the uses of
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
  /// value owns it, and is not read after `use`.
  bool canTakeOver(mlir::OpOperand &use);

  /// Whether a value that a region or a loop receives should own its memory,
  /// because a later operation writes to it. Values that are passed to it then
  /// own their memory or are copied.
  bool wantsOwnership(mlir::Value value);

private:
  bool owns(mlir::Value value);
  bool computeOwns(mlir::Value value);
  bool computeWants(mlir::Value value);
  bool wants(mlir::OpOperand &use);

  llvm::DenseMap<mlir::Value, bool> owners, wanted;
};

/// Whether the operation writes to the memory of this operand and returns it as
/// its result.
bool writesTo(mlir::OpOperand &operand);

/// The values to which `use` passes its operand through regions: results of
/// operations and arguments of their regions.
llvm::SmallVector<mlir::Value, 2> getTargets(mlir::OpOperand &use);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_OWNERSHIP_H
