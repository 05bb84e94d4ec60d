//===- PrepareReshapes.h - reshapes that become memory ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two rules differ between the types of reshapes of tensors and of memrefs.
// Axes of extents 0 and `?` collapse to an axis of a tensor with extent `?`,
// but to an axis of a memref with extent 0: the type that a later expand_shape
// has would contradict that of its operand. And where the type of an expanded
// memref has an extent, its `output_shape` has that number, and not a value.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_PREPARERESHAPES_H
#define BROADLOOM_CODEGEN_BUFFERS_PREPARERESHAPES_H

#include "mlir/IR/Operation.h"

namespace broadloom::codegen {

/// Replaces each `tensor.collapse_shape` in `root` that joins an axis of static
/// extent 0 and one of extent `?` by an empty tensor of its extents, and gives
/// each `tensor.expand_shape` the extents of its type as its `output_shape`.
/// Guards have checked that they are equal.
void prepareReshapes(mlir::Operation *root);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_PREPARERESHAPES_H
