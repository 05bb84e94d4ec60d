//===- BoundaryReads.h - what reads boundaries of memory --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_BOUNDARYREADS_H
#define BROADLOOM_LEGALIZE_MEMORY_BOUNDARYREADS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Why an operation may not have a `loom.boundary` of memory as an operand, and
/// what to do (bnd-5); empty if it reads it, or has none.
llvm::StringRef findUnsupportedBoundary(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_BOUNDARYREADS_H
