//===- Passes.h - from an input program to loom -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of this library; driver/passes/Pipeline orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_PASSES_H
#define BROADLOOM_LEGALIZE_PASSES_H

#include "infer/functions/ShapeLibraries.h"
#include "shape/Verify.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
class Operation;
} // namespace mlir

namespace broadloom::legalize {

#define GEN_PASS_DECL
#include "legalize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "legalize/Passes.h.inc"

/// Whether loom-expand-user-operations may have something to do for `op` where
/// the user gives no text: `op` is a custom operation, or an element-wise one
/// with a shape function in its definition.
bool mayBeExpanded(mlir::Operation *op);

/// The pass loom-check-program with the libraries of its pipeline.
std::unique_ptr<mlir::Pass>
createLoomCheckProgram(infer::SharedLibraries libraries,
                       DynamicToStatic policy);

/// The pass loom-expand-user-operations with the libraries of its pipeline.
std::unique_ptr<mlir::Pass>
createLoomExpandUserOperations(infer::SharedLibraries libraries,
                               DynamicToStatic policy, bool standIns = false);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_PASSES_H
