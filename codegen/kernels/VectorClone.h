//===- VectorClone.h - operations on scalars as ones on vectors -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones scalar operations on vectors, where LLVM's loop vectoriser is not
// sufficient: for vectors that stay in registers from step to step, or become
// shorter.
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
