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

/// Checks the accesses in `nest` where `builder` inserts, by their conditions,
/// and marks them.
void insertNestGuard(mlir::OpBuilder builder, mlir::Operation *nest,
                     llvm::ArrayRef<CheckedAccess> accesses);

/// Marks an access that a guard covers along these axes, or along all of them
/// if there are none.
void markChecked(mlir::Operation *op, llvm::ArrayRef<unsigned> axes);

/// Whether all of `accesses` are inside, by their conditions. Null for always.
mlir::Value computeInside(mlir::OpBuilder &b, mlir::Operation *nest,
                          llvm::ArrayRef<CheckedAccess> accesses);

/// Whether both hold; null is true.
mlir::Value both(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                 mlir::Value y);

/// Whether `symbol`, of type index, is less than 2 to the power of `bits`, of
/// either sign. `getConstant` gives numbers of type index.
mlir::Value isWithin(mlir::OpBuilder &b, mlir::Location loc, mlir::Value symbol,
                     int bits,
                     llvm::function_ref<mlir::Value(int64_t)> getConstant);

/// The value of a symbol, of type index.
mlir::Value computeSymbol(mlir::OpBuilder &b, mlir::Location loc,
                          const NestSymbol &symbol);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTGUARD_H
