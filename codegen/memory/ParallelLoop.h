//===- ParallelLoop.h - a loop over memory as a function --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_PARALLELLOOP_H
#define BROADLOOM_CODEGEN_MEMORY_PARALLELLOOP_H

#include "legalize/memory/LoopDependences.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace broadloom::codegen {

/// Whether a loop with these dependences is known to write no memory.
bool writesNothing(const legalize::LoopDependences &facts);

/// Why a loop with these dependences cannot be called in parts; empty if it
/// can.
std::string describeObstacle(const legalize::LoopDependences &facts);

/// Makes `loop`, whose iterations may run in any order by `facts`, a function
/// in `symbols` of the given number, which grows, and a call of the runtime.
/// Where the condition of the answer does not hold, the loop runs as it was.
/// False if the function would have too many arguments, or one that no function
/// takes.
bool callInParts(mlir::scf::ForOp loop, const legalize::LoopDependences &facts,
                 mlir::SymbolTable &symbols, unsigned &number);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_PARALLELLOOP_H
