//===- FoldElements.h - what follows from known integers --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shape queries leave out guards on data. If a question gives the values of
// some tensors of integers, this file computes the conditions of guards on
// their elements, such as that the indices of a gather are in range, so that
// these guards depend on constants.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H
#define BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// The tensor that casts have made `value` of; `value` itself where its type
/// contradicts that tensor's, so that a guard of a cast fails.
mlir::Value withoutCasts(mlir::Value value);

/// The constant of `value`, also through casts to less precise types. Null if
/// it is not a constant, its elements are not integers, or it has too many.
mlir::Attribute getIntegers(mlir::Value value);

/// Replaces the results of one operation by constants if its operands are
/// constants: a map or a structured operation of few elements, an operation on
/// scalars, or one that reads an element. True if its regions need not be
/// visited: they are the body of a map or a structured operation.
bool foldElementsOf(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_FOLDELEMENTS_H
