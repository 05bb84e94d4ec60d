//===- LinalgBodies.h - bodies of linalg as later passes expect -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_LINALGBODIES_H
#define BROADLOOM_LEGALIZE_LINALGBODIES_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// The parser creates the body of a named operation of linalg without
/// locations; it gets the location of the operation.
void locateBodies(mlir::ModuleOp module);

/// Replaces each `linalg.map` whose body reads the element of its destination
/// by a `linalg.generic`. The interface of `linalg.map` denies that the body
/// reads it, so that passes would not keep the destination's elements.
void showReadDestinations(mlir::ModuleOp module);

/// Erases transpositions of tensors without axes, on which upstream's verifier
/// crashes.
void eraseScalarTransposes(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_LINALGBODIES_H
