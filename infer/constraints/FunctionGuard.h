//===- FunctionGuard.h - shape functions that run with the program -*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards that evaluate an operation's shape function when the program runs
// (sf-4), for what cannot be said as conditions on extents: ranks that are not
// known, loops over as many axes as there are, elements of tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H
#define BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// Emits before `op` a guard that evaluates its shape function, or what a text
/// adds (lib-2), and compares what that says of results with `results`, where
/// they are given; behind `op` where they are its own. Null where there is no
/// function with a body.
loom::RequireFunctionOp requireFunction(ShapeAnalysis &analysis,
                                        mlir::Operation *op, bool isAddition,
                                        mlir::ValueRange results = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_FUNCTIONGUARD_H
