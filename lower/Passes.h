//===- Passes.h - from TOSA to loom and to linalg ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of this library; driver/passes/Pipeline orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_PASSES_H
#define BROADLOOM_LOWER_PASSES_H

#include "infer/functions/ShapeLibraries.h"
#include "shape/Verify.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::lower {

#define GEN_PASS_DECL
#include "lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lower/Passes.h.inc"

/// The pass loom-lower-tosa with the libraries of its pipeline.
std::unique_ptr<mlir::Pass>
createLoomLowerTosa(infer::SharedLibraries libraries);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_PASSES_H
