//===- OverflowFlags.h - what a program says of overflow --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_LEGALIZE_OVERFLOWFLAGS_H
#define BROADLOOM_IMPORT_LEGALIZE_OVERFLOWFLAGS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Removes the flags `nsw` and `nuw`, because overflow wraps (rt-13).
/// Arithmetic that only constraints read keeps `nsw`, which there means
/// mathematical integers.
void clearOverflowFlags(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_LEGALIZE_OVERFLOWFLAGS_H
