//===- UpstreamConstraints.h - constraints beside TOSA's --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run-time constraints on a program's own operations of `tensor`, `linalg`,
// `scf`, `arith`, `index`, `affine` and `cf`, so that the code which upstream
// makes of them reads and writes nothing outside its operands, and does not
// trap (rt-3, rt-9, rt-11). Upstream does not check them.
//
// Invariant: only constraints that the types leave open are recorded;
// upstream's verifiers have rejected those that types refute.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H
#define BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H

#include "infer/constraints/ShapeValues.h"

namespace broadloom::infer {

/// Records the constraints of `op`, which may be any operation, before it.
/// `all`: also those that types prove, for a report.
void constrainUpstream(mlir::Operation *op, ShapeValues &shapes, bool all);

/// Whether `op` computes each element of a tensor from those of others with
/// the same indices, as operations of `arith` and `math` do.
bool isElementwiseOnTensors(mlir::Operation *op);

/// What messages call a value that `op` gives: "the result of 'memref.alloc' at
/// p.mlir:3:8".
std::string describeResult(mlir::Operation *op);

/// What messages call a memref: its name, and where its memory is from.
std::string describeMemory(mlir::Value memory);

class ConstraintWriter;

/// One function per family of operations; returns false if `op` belongs to
/// another.
bool constrainTensor(mlir::Operation *op, ConstraintWriter &writer);
bool constrainLoops(mlir::Operation *op, ConstraintWriter &writer);
bool constrainElementwise(mlir::Operation *op, ConstraintWriter &writer);
bool constrainDivision(mlir::Operation *op, ConstraintWriter &writer);
bool constrainAffine(mlir::Operation *op, ConstraintWriter &writer);
/// An operation of `loom` in an input program.
bool constrainFusedReduction(mlir::Operation *op, ConstraintWriter &writer);
bool constrainBroadcast(mlir::Operation *op, ConstraintWriter &writer);
bool constrainFromExtents(mlir::Operation *op, ConstraintWriter &writer);
bool constrainContraction(mlir::Operation *op, ConstraintWriter &writer);
bool constrainMemory(mlir::Operation *op, ConstraintWriter &writer);
/// A view in a program over memory.
bool constrainView(mlir::Operation *op, ConstraintWriter &writer);
bool constrainLinearAlgebra(mlir::Operation *op, ConstraintWriter &writer);
bool constrainSort(mlir::Operation *op, ConstraintWriter &writer);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_UPSTREAMCONSTRAINTS_H
