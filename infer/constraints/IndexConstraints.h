//===- IndexConstraints.h - indices that are data ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gather and scatter read and write at indices that are known only at run time.
// Guards check the indices, so that nothing is read or written outside an
// operand (rt-9). Shapes that are data are checked too.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_INDEXCONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_INDEXCONSTRAINTS_H

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// Records, before `op`, that all elements of the ranked integer tensor
/// `indices` are in [0, extent). An empty tensor of indices passes.
void constrainIndices(mlir::OpBuilder &builder, mlir::Operation *op,
                      mlir::Value indices, mlir::Value extent);

/// Records, before `op`, that the elements of `list`, a ranked tensor of
/// integers, are extents of a shape with this many elements.
void constrainElements(mlir::OpBuilder &builder, mlir::Operation *op,
                       mlir::Value list, mlir::Value elements);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_INDEXCONSTRAINTS_H
