//===- CheckAhead.h - checks of indices that are data -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check in an innermost loop, such as that of `x[at[i]]`, is a way out of
// each iteration, so that LLVM neither unrolls the loop nor makes vectors of
// it. Such a loop gets a version that checks several iterations at once
// (decision 127).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_CHECKAHEAD_H
#define BROADLOOM_CODEGEN_MEMORY_CHECKAHEAD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// Gives innermost loops of `func` with checks of what they load a version that
/// runs loads and checks of a block of iterations before these store anything,
/// and uses the loaded values. What no iteration changes is loaded and checked
/// once. Where a check of a block fails, the loop runs as it was from the
/// block's first iteration on, up to the very failure.
void checkAhead(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_CHECKAHEAD_H
