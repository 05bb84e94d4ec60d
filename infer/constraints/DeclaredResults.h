//===- DeclaredResults.h - declared types and inferred ones -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints by which the declared types of results say more than the shapes
// that a shape function gives (rt-4), and errors about operations that
// contradict it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H
#define BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

/// Adds to `outcome`, which has a shape for each result of `op`, what the
/// declared types require. `function` is the shape function of the outcome, or
/// null.
void requireDeclared(mlir::Operation *op, Outcome &outcome,
                     const ShapeFunction *function, Numbers &numbers);

/// Fails, with an error, if the types, attributes and constants of `op` alone
/// break a rule of the library.
llvm::LogicalResult explainRefusal(mlir::Operation *op,
                                   const ShapeLibrary &library);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H
