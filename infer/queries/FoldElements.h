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

/// Replaces operations on tensors of integers by constants, where their
/// operands are constants of few elements: maps, structured operations on
/// scalars, and what reads elements.
void foldElements(mlir::func::FuncOp function);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H
