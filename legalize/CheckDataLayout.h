//===- CheckDataLayout.h - the data layout that a program has ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements have one layout here: an index has 64 bits, bytes are in the order
// of the processor, and elements stand one behind another (mem-15). What made a
// program may have written the layout that it expects into it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_CHECKDATALAYOUT_H
#define BROADLOOM_LEGALIZE_CHECKDATALAYOUT_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Fails, with an error at `op`, if an attribute of `op` is a data layout in
/// which an index, a number or the order of bytes is another than here. Entries
/// about pointers, the stack and memory spaces mean nothing.
llvm::LogicalResult checkDataLayout(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_CHECKDATALAYOUT_H
