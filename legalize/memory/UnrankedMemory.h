//===- UnrankedMemory.h - memory without a rank -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_UNRANKEDMEMORY_H
#define BROADLOOM_LEGALIZE_MEMORY_UNRANKEDMEMORY_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// mem-11. Where a function has cast memory from a rank, it is seen with that
/// rank. Other memory without a rank has one operation that tells its rank, and
/// casts from it tell the rank alone; casts of their results tell the rest.
void seeRanks(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_UNRANKEDMEMORY_H
