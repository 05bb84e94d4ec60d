//===- LowerParallelLoops.h - scf.parallel as loops -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_LOWERPARALLELLOOPS_H
#define BROADLOOM_LEGALIZE_LOWERPARALLELLOOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Replaces each `scf.parallel` by an `scf.for` for each of its axes, the first
/// one outermost, which carry what it reduces. The analysis and later passes
/// then know one form of such loops; nothing runs them in parallel.
void lowerParallelLoops(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_LOWERPARALLELLOOPS_H
