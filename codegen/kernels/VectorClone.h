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

/// The number of operations after expansion: an expanded function counts with
/// its cost (scalar/MathFunctions.h), which may be a little more than its
/// number of operations.
size_t countExpanded(llvm::ArrayRef<mlir::Operation *> operations);

/// Whether LLVM compiles `op` on vectors to fast code.
bool canCloneAsVectors(mlir::Operation *op);

/// Clones `op`, for which canCloneAsVectors() is true, with vectors of `lanes`
/// elements in place of scalars. Its operands are mapped to vectors, or are
/// constants.
void cloneAsVectors(mlir::OpBuilder &builder, mlir::Operation *op,
                    int64_t lanes, mlir::IRMapping &mapping);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_VECTORCLONE_H
