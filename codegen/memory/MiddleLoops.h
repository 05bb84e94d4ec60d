//===- MiddleLoops.h - loops in which indices are inside --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that reads boundaries of memory becomes three, one behind the other:
// in the middle one, indices are inside the memory. The order of the iterations
// does not change.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_MIDDLELOOPS_H
#define BROADLOOM_CODEGEN_MEMORY_MIDDLELOOPS_H

#include "dialect/LoomBoundary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::codegen {

/// The axes of the indices of a load that are known to be inside the source of
/// the boundary that it reads.
llvm::SmallVector<int64_t> getInsideAxes(mlir::memref::LoadOp load);
/// Forgets what is known of the indices of a load.
void eraseMarksOfIndices(mlir::memref::LoadOp load);

/// Whether the boundary may have elements beyond the ends of an axis, or
/// between its elements.
bool goesBeyond(loom::BoundaryOp boundary, int64_t axis);

/// How many operations of a function have been copied, in middle parts and in
/// the others.
struct CopiedOperations {
  size_t middle = 0, ends = 0;
};

/// Of a loop: it is a part at an end, which has few iterations.
inline constexpr llvm::StringLiteral kIsEnd = "loom.end";

/// Splits the loops of a function that read the given boundaries. There is one
/// `copied` for a function. Parts at the ends are marked, so that they are
/// known when loops that read other boundaries are split. Loops with names,
/// with memory on the stack, and those around them, stay: a name is that of one
/// loop.
void splitLoops(mlir::func::FuncOp func,
                llvm::ArrayRef<loom::BoundaryOp> boundaries,
                CopiedOperations &copied);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_MIDDLELOOPS_H
