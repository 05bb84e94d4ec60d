//===- UpstreamConstraints.h - constraints beside TOSA's --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold at run time of the operations of `tensor`, `linalg`, `scf`,
// `arith`, `index`, `affine` and `cf` that a program has itself, so that the
// code which upstream makes of them reads and writes nothing outside its
// operands, and does not trap (rt-3, rt-9, rt-11). Upstream takes all of it for
// granted.
//
// Invariant: only what the types leave open is recorded; what they refute has
// been refused by upstream's verifiers before.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H

#include "infer/constraints/ShapeValues.h"

namespace broadloom::infer {

/// Records before `op`, which may be any operation, what must hold of it.
/// `all`: also what types prove, for a report.
void constrainUpstream(mlir::Operation *op, ShapeValues &shapes, bool all);

/// Whether `op` computes each element of a tensor from those of others with
/// the same indices, as operations of `arith` and `math` do.
bool isElementwiseOnTensors(mlir::Operation *op);

class ConstraintWriter;

/// The families, each of which returns false where `op` is none of its own.
bool constrainTensor(mlir::Operation *op, ConstraintWriter &writer);
bool constrainLoops(mlir::Operation *op, ConstraintWriter &writer);
bool constrainElementwise(mlir::Operation *op, ConstraintWriter &writer);
bool constrainDivision(mlir::Operation *op, ConstraintWriter &writer);
bool constrainAffine(mlir::Operation *op, ConstraintWriter &writer);
/// An operation of `loom` that a program has itself.
bool constrainFusedReduction(mlir::Operation *op, ConstraintWriter &writer);
bool constrainBroadcast(mlir::Operation *op, ConstraintWriter &writer);
bool constrainFromExtents(mlir::Operation *op, ConstraintWriter &writer);
bool constrainContraction(mlir::Operation *op, ConstraintWriter &writer);
bool constrainSort(mlir::Operation *op, ConstraintWriter &writer);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H
