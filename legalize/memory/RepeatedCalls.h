//===- RepeatedCalls.h - calls that give what is known ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_REPEATEDCALLS_H
#define BROADLOOM_LEGALIZE_MEMORY_REPEATEDCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace broadloom::legalize {

/// Erases calls in `func` of functions for which `isRead` holds, which are
/// deterministic and write nothing, where the same call stands in front in the
/// block and nothing between them may write or free memory (ffi-7). What such a
/// call checks, the one in front has checked.
void eraseRepeatedCalls(mlir::func::FuncOp func,
                        llvm::function_ref<bool(mlir::func::CallOp)> isRead);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_REPEATEDCALLS_H
