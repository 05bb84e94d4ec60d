//===- UnrankedBuffers.h - tensors of unknown rank to buffers ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization cannot copy a tensor of unknown rank. Nothing writes
// to such a tensor: an element-wise operation makes a new one, and all other
// operations pass it unchanged. So tensors of unknown rank become buffers
// before copies are inserted, which then concerns ranked tensors alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_UNRANKEDBUFFERS_H
#define BROADLOOM_CODEGEN_BUFFERS_UNRANKEDBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

/// Gives every tensor of unknown rank in `func` the type of a buffer, including
/// arguments and results.
void bufferizeUnranked(mlir::func::FuncOp func);

/// Replaces an operation that reads an extent or the rank of a tensor that
/// became a buffer; other operations stay.
void replaceQuery(mlir::RewriterBase &rewriter, mlir::Operation *op);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_UNRANKEDBUFFERS_H
