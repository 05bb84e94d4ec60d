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

/// About how many operations a run of `loop` has: trip counts times operations.
/// Loops inside whose bounds depend on loops around them count as in the middle
/// iteration of these. Less than 2 to the power of 61.
mlir::Value computeWork(mlir::OpBuilder &b, mlir::scf::ForOp loop);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LOOPWORK_H
