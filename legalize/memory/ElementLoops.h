//===- ElementLoops.h - loops over all elements of memory -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_ELEMENTLOOPS_H
#define BROADLOOM_LEGALIZE_MEMORY_ELEMENTLOOPS_H

#include "mlir/IR/Builders.h"

namespace broadloom::legalize {

/// Makes loops over all elements of `memory`, a memref of known rank, in
/// row-major order. `body` makes what stands in the innermost one, of the
/// indices.
void forEachElement(
    mlir::OpBuilder &b, mlir::Location loc, mlir::Value memory,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_ELEMENTLOOPS_H
