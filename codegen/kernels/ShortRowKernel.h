//===- ShortRowKernel.h - all stages of short rows as a function -*- C++ -*-==//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the function of runtime/abi/Abi.h (BroadloomShortRowsKernel) for a
// whole program over rows. With a kernel per stage, the overhead of a row of a
// few vectors (calls, unused lanes, copies to lanes) exceeds its computation.
// Here rows are read in place, and all stages are computed for a group of rows
// at a time. Their partial results are combined together, which takes three
// instructions per row.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H
#define BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H

#include "codegen/kernels/RowPartition.h"
#include "codegen/target/CodeTarget.h"

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
                    const llvm::DenseMap<mlir::Value, int32_t> &numbers,
                    const VectorUnit &unit);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_SHORTROWKERNEL_H
