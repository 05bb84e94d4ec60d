//===- NestGuard.h - the check in front of a loop nest ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTGUARD_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTGUARD_H

#include "legalize/memory/NestReader.h"

namespace broadloom::legalize {

/// Checks the accesses in `nest` where `builder` inserts, by a condition whose
/// symbols are less than 2 to the power of `bits`, and marks them.
void insertNestGuard(mlir::OpBuilder builder, mlir::Operation *nest,
                     llvm::ArrayRef<CheckedAccess> accesses, int bits);

/// Whether all of `accesses` are inside, by their conditions, whose symbols are
/// less than 2 to the power of `bits`. Null for always.
mlir::Value computeInside(mlir::OpBuilder &b, mlir::Operation *nest,
                          llvm::ArrayRef<CheckedAccess> accesses, int bits);

/// The value of a symbol, of type index.
mlir::Value computeSymbol(mlir::OpBuilder &b, mlir::Location loc,
                          const NestSymbol &symbol);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTGUARD_H
