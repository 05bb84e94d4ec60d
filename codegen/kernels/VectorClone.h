//===- VectorClone.h - operations on scalars as ones on vectors -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where LLVM's loop vectoriser would not do: vectors that stay in registers
// from one step of a loop to the next, or that become shorter from step to
// step.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_VECTORCLONE_H
#define BROADLOOM_CODEGEN_KERNELS_VECTORCLONE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace broadloom::codegen {

/// How many operations these are by the time they are compiled: one that is
/// expanded counts for what it costs (scalar/MathFunctions.h), of some kinds
/// and on some processors a few more than it has.
size_t countExpanded(llvm::ArrayRef<mlir::Operation *> operations);

/// Whether LLVM computes `op` on vectors by itself, and fast.
bool canCloneAsVectors(mlir::Operation *op);

/// Clones `op`, for which canCloneAsVectors() holds, with `lanes` elements for
/// each of its scalars. Its operands are mapped to vectors already, or are
/// constants.
void cloneAsVectors(mlir::OpBuilder &builder, mlir::Operation *op,
                    int64_t lanes, mlir::IRMapping &mapping);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_VECTORCLONE_H
