//===- DeclaredResults.h - declared types and inferred ones -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the declared types of results say beyond the shapes that a shape
// function gives (rt-4), and what is said of an operation that contradicts it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H
#define BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

/// Adds to `outcome`, which has a shape for each result of `op`, what the
/// declared types require. `function` is the one that gave it, or null.
void requireDeclared(mlir::Operation *op, Outcome &outcome,
                     const ShapeFunction *function, Numbers &numbers);

/// Reports which rule of the library `op` breaks by its types, attributes and
/// constants alone, and fails; succeeds where it breaks none.
llvm::LogicalResult explainRefusal(mlir::Operation *op,
                                   const ShapeLibrary &library);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_DECLAREDRESULTS_H
