//===- NarrowResults.h - functions return what they have --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization lets a function return the source of a cast, and
// gives it that type, without a word to its callers: a copy of what a call
// gives is then allocated for a type that has other extents left open than the
// buffer that is copied. So functions that are called return the sources of
// casts before, and callers cast.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H
#define BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

void narrowResults(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H
