//===- LoopConditions.h - when an answer about loops holds ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H
#define BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H

#include "codegen/memory/ApartMemory.h"
#include "legalize/memory/LoopAccesses.h"

namespace broadloom::codegen {

/// Whether what LoopAccesses leaves to its caller holds in front of `nest`,
/// where `b` inserts; of memory, that of `memory`. Null for always.
mlir::Value computeHolds(mlir::OpBuilder &b, mlir::Operation *nest,
                         const legalize::LoopAccesses &accesses,
                         const NestMemory &memory);

/// Whether `all`, true if it is null, and the value of `symbol` fits as many
/// bits.
mlir::Value addFits(mlir::OpBuilder &b, mlir::Location loc, mlir::Value all,
                    const legalize::NestSymbol &symbol, int bits);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H
