//===- UnsupportedOperations.h - what cannot be compiled --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of the operations that have no lowering below legalization, or
// whose reads and writes cannot be checked. One error lists those that a
// program has.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_UNSUPPORTEDOPERATIONS_H
#define BROADLOOM_LEGALIZE_UNSUPPORTEDOPERATIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace broadloom::infer {
class ShapeLibrary;
} // namespace broadloom::infer

namespace broadloom::legalize {

/// Whether `op`, which may be any operation, cannot be compiled.
bool isUnsupported(mlir::Operation *op);

/// Collects the operations of one program that cannot be compiled.
class UnsupportedOperations {
public:
  /// Records `op` if it is unsupported; `op` may be any operation.
  void note(mlir::Operation *op);
  /// Whether some of them may be supported with better types: they have
  /// operands or results of unknown rank.
  bool dependOnRanks() const;
  /// Forgets those that have become supported.
  void update();
  /// Fails, with the error of its shape function, if one of them is refuted by
  /// the ranks of its operands.
  llvm::LogicalResult explain(const infer::ShapeLibrary &library) const;
  /// Reports one error at the first of them, with a note for each and what to
  /// do.
  llvm::LogicalResult report() const;

private:
  llvm::SmallVector<mlir::Operation *> found;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_UNSUPPORTEDOPERATIONS_H
