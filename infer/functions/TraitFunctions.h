//===- TraitFunctions.h - shape functions from traits -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation's definition says of its shapes, for those that have no
// function in any library (sf-9): its traits as a shape function, and its own
// inference interface for what traits do not say.
//
// Invariant: a function from traits requires what the traits require, no less:
// extents that types leave open become constraints and not assumptions. Of an
// interface only that is believed which no unknown extent can have led to.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_TRAITFUNCTIONS_H
#define BROADLOOM_INFER_FUNCTIONS_TRAITFUNCTIONS_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

/// A library with one function, for this operation, from
///   - SameOperandsAndResultType, SameOperandsAndResultShape,
///     SameOperandsShape, and Elementwise (of ElementwiseMappable),
///   - Broadcastable and BroadcastableStrict, and upstream's
///     ResultsBroadcastableShape,
///   - SameOperandsAndResultElementType, SameOperandsElementType,
///     SameTypeOperands.
/// Null where it has none of these, or any number of results.
mlir::OwningOpRef<mlir::ModuleOp>
buildTraitFunction(mlir::RegisteredOperationName name);

/// Whether the operation infers its types or shapes itself
/// (InferShapedTypeOpInterface, InferTypeOpInterface).
bool hasInference(mlir::RegisteredOperationName name);

/// Adds to `outcome` what that inference says of components that are not
/// known. Where extents of operands are not known, it tells element types,
/// encodings and ranks, and not extents: upstream's inference takes unknown
/// extents for those that fit (against bcast-6). It is run on types alone;
/// where it has no answer, nothing is known, or, where all types are static
/// and no operand is a constant, the operation is refuted in its words.
void addInference(mlir::RegisteredOperationName name, const Request &request,
                  Numbers &numbers, Outcome &outcome);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_TRAITFUNCTIONS_H
