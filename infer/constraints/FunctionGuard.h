//===- FunctionGuard.h - shape functions that run with the program -*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards that evaluate an operation's shape function when the program runs
// (sf-4), for requirements that are not conditions on extents: unknown ranks,
// loops over the axes of a tensor of unknown rank, elements of tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H
#define BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// Emits a guard that evaluates the shape function of `op`, or the function
/// that a text adds (lib-2), and compares the inferred shapes with `results` if
/// these are given. The guard stands before `op`, or after it if `results` are
/// its own. Null if there is no function with a body.
loom::RequireFunctionOp requireFunction(ShapeAnalysis &analysis,
                                        mlir::Operation *op, bool isAddition,
                                        mlir::ValueRange results = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H
