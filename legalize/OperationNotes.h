//===- OperationNotes.h - one note for each operation -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For errors about a program that has many operations of one kind.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_OPERATIONNOTES_H
#define BROADLOOM_LEGALIZE_OPERATIONNOTES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace broadloom {

/// Adds to `error` a note at each of the first ten operations, with the text
/// that `describe(op)` gives, and one that counts the others: a model may have
/// thousands of them.
template <typename Describe>
void attachNotes(mlir::InFlightDiagnostic &error,
                 llvm::ArrayRef<mlir::Operation *> operations,
                 Describe describe) {
  constexpr size_t limit = 10;
  for (mlir::Operation *op : operations.take_front(limit))
    error.attachNote(op->getLoc()) << describe(op);
  if (operations.size() > limit)
    error.attachNote() << "and " << operations.size() - limit << " more";
}

} // namespace broadloom

#endif // BROADLOOM_LEGALIZE_OPERATIONNOTES_H
