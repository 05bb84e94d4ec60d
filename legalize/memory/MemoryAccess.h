//===- MemoryAccess.h - what a load or a store accesses ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory and the subscripts of a load or a store, of `affine` or `memref`.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_MEMORYACCESS_H
#define BROADLOOM_LEGALIZE_MEMORY_MEMORYACCESS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace broadloom::legalize {

struct MemoryAccess {
  mlir::Value memory;
  /// An identity for the operations of `memref`.
  mlir::AffineMap map;
  mlir::ValueRange operands;

  static bool isAccess(mlir::Operation *op);
  /// Whether it reads an element and writes it at once.
  static bool isAtomic(mlir::Operation *op);
  static bool isWrite(mlir::Operation *op);
  /// What an access has, or an atomic one.
  static MemoryAccess get(mlir::Operation *op);

  /// Its operands that subscripts of these axes use; those of all if there are
  /// none.
  llvm::SmallVector<mlir::Value>
  getOperandsOf(llvm::ArrayRef<unsigned> axes) const;

  bool operator==(const MemoryAccess &other) const {
    return memory == other.memory && map == other.map &&
           llvm::equal(operands, other.operands);
  }
};

/// Whether the map's results depend on the operand of this number, of its
/// dimensions and then its symbols.
bool isUsed(mlir::AffineMap map, unsigned operand);

/// The value of one result of a map that `op` has.
mlir::Value computeResult(mlir::OpBuilder &builder, mlir::Operation *op,
                          mlir::AffineMap map, unsigned result,
                          mlir::ValueRange operands);

/// The values of all results.
llvm::SmallVector<mlir::Value> computeResults(mlir::OpBuilder &builder,
                                              mlir::Operation *op,
                                              mlir::AffineMap map,
                                              mlir::ValueRange operands);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_MEMORYACCESS_H
