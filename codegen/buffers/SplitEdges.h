//===- SplitEdges.h - one edge between two blocks ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both targets of a conditional branch may be the same block, with different
// operands. Upstream's bufferization finds the edge by the predecessor block,
// and so bufferizes only the operands of the first edge.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_SPLITEDGES_H
#define BROADLOOM_CODEGEN_BUFFERS_SPLITEDGES_H

#include "mlir/IR/Operation.h"

namespace broadloom::codegen {

/// Splits all but the first of several edges from one block to another, in all
/// regions of `root`.
void splitEdges(mlir::Operation *root);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_SPLITEDGES_H
