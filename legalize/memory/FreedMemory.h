//===- FreedMemory.h - memory that is certainly freed before it is used ---===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mem-6. A use of freed memory is an error when the program is compiled where
// no call of the function succeeds: both the use and the operation that frees
// stand in the function's first block, under no branch and no loop. All other
// uses are checked when the program runs (codegen/memory/Lifetimes.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_FREEDMEMORY_H
#define BROADLOOM_LEGALIZE_MEMORY_FREEDMEMORY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::legalize {

class FreedMemory {
public:
  /// Reports the first operand of `op` that is freed. Operations come in their
  /// order in the block.
  llvm::LogicalResult check(mlir::Operation *op);

private:
  /// What freed the memory that a value is, or is a view of.
  llvm::DenseMap<mlir::Value, mlir::Operation *> freed;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_FREEDMEMORY_H
