//===- ShortRowKernel.h - all stages of short rows as a function -*- C++ -*-==//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the function of runtime/abi/Abi.h (BroadloomShortRowsKernel) for a
// whole program over rows. With a kernel for each stage, a row of a few vectors
// costs more in calls, in lanes beyond its end and in moving it to where the
// lanes are than in what is computed. Here rows stay where they are, and all
// stages go over some rows at a time; their partial results are combined
// together, so that this costs three instructions for each row.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H
#define BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H

#include "codegen/kernels/RowPartition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace broadloom::codegen {

/// Whether all operations can be computed on vectors, and are few enough to be
/// compiled a second time.
bool canBeShortRows(const RowPartition &partition);

/// Appends the function for `partition` of `body`. `numbers` are the values'
/// numbers in the tables.
mlir::LLVM::LLVMFuncOp
buildShortRowKernel(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::StringRef name, const RowPartition &partition,
                    mlir::Block &body,
                    const llvm::DenseMap<mlir::Value, int32_t> &numbers);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H
