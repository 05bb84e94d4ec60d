//===- StripKernel.h - one stage as a function over a run -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the function of runtime/abi/Abi.h (BroadloomStripKernel) for a stage:
// for each strip a loop without a branch, whose loads and stores are known not
// to alias and whose length is BROADLOOM_STRIP_MULTIPLE, so that LLVM
// vectorises it without a scalar tail. Decision 36 has the reasons for the LLVM
// dialect.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_STRIPKERNEL_H
#define BROADLOOM_CODEGEN_KERNELS_STRIPKERNEL_H

#include "codegen/kernels/StagePartition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// Appends a kernel for `stage` to the block of `builder`'s insertion point.
/// The body holds `arith` and `math` operations on scalars, to be converted
/// with the rest of the module. With `streams` it gets a second loop that
/// stores past the caches (codegen/kernels/StreamedLoops.h).
mlir::LLVM::LLVMFuncOp buildStripKernel(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        llvm::StringRef name,
                                        const Stage &stage, bool streams);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_STRIPKERNEL_H
