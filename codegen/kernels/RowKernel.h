//===- RowKernel.h - one stage over rows as a function ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the functions of runtime/abi/Abi.h for stages over rows. The loop over
// lanes is the inner one and has no branch, so that LLVM vectorises it; a
// reduction keeps one partial result per lane in memory, or in registers if
// there are enough.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_ROWKERNEL_H
#define BROADLOOM_CODEGEN_KERNELS_ROWKERNEL_H

#include "codegen/kernels/RowPartition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// Appends a BroadloomReductionKernel for `stage`.
mlir::LLVM::LLVMFuncOp buildRowKernel(mlir::OpBuilder &builder,
                                      mlir::Location loc, llvm::StringRef name,
                                      const RowStage &stage);

/// Whether the stage has values to keep in registers across steps (partial
/// results, or values with one element per row) and few other operations.
bool canStayInRegisters(const RowStage &stage);

/// The same kernel for a stage for which canStayInRegisters is true.
mlir::LLVM::LLVMFuncOp buildRowVectorKernel(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            llvm::StringRef name,
                                            const RowStage &stage);

/// Appends a BroadloomReduceFinish for `reduce`.
mlir::LLVM::LLVMFuncOp buildReduceFinish(mlir::OpBuilder &builder,
                                         mlir::Location loc,
                                         llvm::StringRef name,
                                         loom::ReduceOp reduce);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_ROWKERNEL_H
