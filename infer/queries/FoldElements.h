//===- FoldElements.h - what follows from known integers --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape query leaves out what reads data. Where a query gives the values of
// some tensors of integers, what a guard requires of their elements, such as
// that the indices of a gather are in range, is computed here, so that the
// guard is one of numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H
#define BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::infer {

/// The constant that `value` is, also where a cast says less of its shape; null
/// where it is none, one of other elements than integers, or one of many.
mlir::Attribute getIntegers(mlir::Value value);

/// Replaces the results of one operation by constants, where its operands are
/// constants: of a map or a structured operation of few elements, of an
/// operation on scalars, and of one that reads an element. True if its regions
/// need not be visited: they are the body of a map or a structured operation.
bool foldElementsOf(mlir::Operation *op);

/// The same for all operations of `function`. A branch that is known to be
/// taken takes the place of its choice, and so do the turns of a short loop.
void foldElements(mlir::func::FuncOp function);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H
