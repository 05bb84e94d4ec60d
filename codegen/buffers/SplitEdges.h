//===- SplitEdges.h - one edge between two blocks ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conditional branch may go to one block either way, with other operands each
// time. Upstream's bufferization finds the edge into a block by the block it
// comes from, and so makes buffers of the first one's operands alone.
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
