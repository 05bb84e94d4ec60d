//===- TosaConstraints.h - constraints of other TOSA ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold at run time of the shapes of operations that are not
// element-wise, so that the code which upstream's patterns make of them reads
// and writes nothing outside its operands (rt-3, rt-4).
//
// Invariant: only what the types leave open is recorded; what they refute has
// been refused by upstream's verifiers before.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H

#include "infer/constraints/ShapeValues.h"

namespace broadloom::infer {

/// Records before `op`, an operation of TOSA, what must hold of its operands:
/// of indices that are data (rt-9) and, `ofExtents`, of the extents.
void constrainOperands(mlir::Operation *op, ShapeValues &shapes,
                       bool ofExtents);

/// Gives the results of `op` the types that its operands give, which is what
/// upstream's patterns expect; users get a cast to the declared type. Where
/// that says more, records after `op` that it is true (verify-4, rt-4); where
/// it does not, `onRefined` gets the cast and what it was made from. An error
/// where the two types contradict each other.
llvm::LogicalResult
settleResults(mlir::Operation *op, ShapeValues &shapes,
              llvm::function_ref<void(mlir::Value, mlir::Value)> onRefined);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_TOSACONSTRAINTS_H
