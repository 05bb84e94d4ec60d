//===- NarrowResults.h - functions return what they have --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization makes a function return the memory that a cast is
// of, also where an operation has written the cast as its destination, and
// changes the function's type without updating its callers: a copy of a call's
// result is then allocated for a type with other dynamic extents than the
// copied buffer. So this pass makes called functions return tensors of the type
// that their memory has, and their callers cast.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H
#define BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

void narrowResults(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_NARROWRESULTS_H
