//===- NestChecks.h - a loop nest with its checks alone ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops and branches around some accesses once more, with the checks of
// these accesses alone, in the order of the program. They change no memory, so
// that the first access outside is told before anything is written.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTCHECKS_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTCHECKS_H

#include "legalize/memory/NestReader.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace broadloom::legalize {

class NestChecks {
public:
  /// Inserts at `builder`. All of the nest's way to each access has been read.
  NestChecks(mlir::OpBuilder &builder, mlir::Operation *nest,
             llvm::ArrayRef<CheckedAccess> accesses);

  struct Bounds {
    mlir::Value lower, upper, step;
  };
  /// Computes those of the nest's own loop.
  Bounds computeBounds() { return getBounds(nest); }

  /// Emits the nest, whose own loop begins at `bounds.lower`.
  void emit(const Bounds &bounds);

  static mlir::Value computeCondition(mlir::OpBuilder &b,
                                      mlir::affine::AffineIfOp branch,
                                      mlir::ValueRange operands);

private:
  mlir::Value map(mlir::Value value);
  llvm::SmallVector<mlir::Value> mapUsed(mlir::AffineMap map,
                                         mlir::ValueRange operands);
  mlir::Value repeatNumber(mlir::Operation *op);
  Bounds getBounds(mlir::Operation *loop);
  void repeat(mlir::Operation *op);
  void repeatAccess(mlir::Operation *op);
  void repeatLoop(mlir::Operation *loop, const Bounds &bounds);
  void repeatBranch(mlir::Operation *branch);
  void repeatBlock(mlir::Block &from, mlir::Block &to);

  mlir::OpBuilder &b;
  mlir::Operation *nest;
  llvm::DenseSet<mlir::Operation *> needed;
  /// Of accesses that are checked along some axes only, these.
  llvm::DenseMap<mlir::Operation *, llvm::ArrayRef<unsigned>> axes;
  mlir::IRMapping mapping;
  /// Values with numbers of their own in the block that is made.
  llvm::SmallVector<mlir::Value> made;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTCHECKS_H
