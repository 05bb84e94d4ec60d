//===- ResolveExtents.h - extents ahead of their tensors --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory for a concatenation can be allocated ahead of its operands only if its
// extents are known by then (loom-place-parts).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_RESOLVEEXTENTS_H
#define BROADLOOM_CODEGEN_BUFFERS_RESOLVEEXTENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// Computes the extents on which the memory and the parts of a
/// `tensor.insert_slice` into a `tensor.empty` depend from the operands of
/// launches, and not from their results.
void resolveExtents(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_RESOLVEEXTENTS_H
