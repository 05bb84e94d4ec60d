//===- TraitFunctions.h - shape functions from traits -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives shape functions from the definitions of operations that no library
// maps (sf-9): from traits, and from the operation's own inference interface
// for components that traits do not give.
//
// Invariant: a function from traits requires all that the traits require:
// extents that types leave open become constraints and not assumptions. A
// result of an interface is used only if it cannot depend on unknown extents.
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
/// Null if it has none of these, or a variable number of results.
mlir::OwningOpRef<mlir::ModuleOp>
buildTraitFunction(mlir::RegisteredOperationName name);

/// Whether a function follows from the operation's traits or from its own
/// inference.
bool canDerive(mlir::RegisteredOperationName name);

/// Whether the operation infers its types or shapes itself
/// (InferShapedTypeOpInterface, InferTypeOpInterface).
bool hasInference(mlir::RegisteredOperationName name);

/// Adds to `outcome` the components that are not known and that this inference
/// gives. If extents of operands are unknown, it gives only element types,
/// encodings and ranks, because upstream's inference assumes that unknown
/// extents fit (against bcast-6). Inference runs on types alone. If it fails,
/// nothing is known, or, if all types are static and no operand is a constant,
/// the operation is refuted with its message.
void addInference(mlir::RegisteredOperationName name, const Request &request,
                  Numbers &numbers, Outcome &outcome);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_TRAITFUNCTIONS_H
