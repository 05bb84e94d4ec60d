//===- LoopWork.h - how much a loop does ------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_LOOPWORK_H
#define BROADLOOM_CODEGEN_MEMORY_LOOPWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::codegen {

/// The iterations of `loop`, at least 0. Its step is positive.
mlir::Value computeTripCount(mlir::OpBuilder &b, mlir::scf::ForOp loop);

/// About how long a run of `loop` takes, in units of 1/32 ns: trip counts times
/// the costs of operations. Loops inside whose bounds depend on loops around
/// them count as in the middle iteration of these. Less than 2 to the power of
/// 61.
mlir::Value computeWork(mlir::OpBuilder &b, mlir::scf::ForOp loop);

/// The same for the operations of one iteration of `loop` that stand in no loop
/// inside.
int64_t getCostOfIteration(mlir::scf::ForOp loop);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LOOPWORK_H
