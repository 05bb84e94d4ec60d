//===- Lift.h - blocks as branches and loops --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape query is made of a function of one block. If it has several,
// upstream's transformation from `cf` to `scf` makes one of them, in a copy of
// the function. The function itself keeps its blocks.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_LIFT_H
#define BROADLOOM_INFER_QUERIES_LIFT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace broadloom::infer {

/// The number of branches of `func`, and of regions in it, that lead back to a
/// block from which they are reached: each makes a loop. The time of liftBlocks
/// and the size of its copy grow with the square of this number or faster.
size_t countBackwardBranches(mlir::func::FuncOp func);

/// A copy of `func` in which each choice is an `scf.if`, each loop is an
/// operation of `scf`, and the body is one block. An `scf.while` that counts
/// upwards, and whose last index nothing uses, is an `scf.for`. Null if `func`
/// has that form already, or if it cannot be converted.
mlir::OwningOpRef<mlir::func::FuncOp> liftBlocks(mlir::func::FuncOp func);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_LIFT_H
