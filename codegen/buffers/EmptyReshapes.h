//===- EmptyReshapes.h - reshapes of no elements ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes of extents 0 and `?` collapse to an axis of a tensor with extent `?`,
// but to an axis of a memref with extent 0: after bufferization, the type that
// a later expand_shape has contradicts that of its operand.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_EMPTYRESHAPES_H
#define BROADLOOM_CODEGEN_BUFFERS_EMPTYRESHAPES_H

#include "mlir/IR/Operation.h"

namespace broadloom::codegen {

/// Replaces each `tensor.collapse_shape` in `root` that joins an axis of static
/// extent 0 and one of extent `?` by an empty tensor of its extents.
void replaceEmptyReshapes(mlir::Operation *root);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_EMPTYRESHAPES_H
