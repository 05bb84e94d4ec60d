//===- GroupCalls.h - operations that share a runtime call ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_ABI_GROUPCALLS_H
#define BROADLOOM_CODEGEN_ABI_GROUPCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// Operations that become one call of the runtime, in their order.
using SharedCall = llvm::SmallVector<mlir::Operation *, 1>;

/// The operations of `func` that are lowered, in their order. Launches,
/// releases and sites that follow one another share a call; other names of
/// memory that stand between them are moved in front of the first, because the
/// call reads them.
llvm::SmallVector<SharedCall> groupCalls(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_ABI_GROUPCALLS_H
