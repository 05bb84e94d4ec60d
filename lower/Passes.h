//===- Passes.h - from TOSA to loom and to linalg ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of this room; driver/ orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_PASSES_H
#define BROADLOOM_LOWER_PASSES_H

#include "infer/GuardReport.h"
#include "infer/functions/Library.h"
#include "shape/Verify.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace broadloom::lower {

#define GEN_PASS_DECL
#include "lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lower/Passes.h.inc"

/// The pass loom-expand-user-operations with libraries that are loaded already.
std::unique_ptr<mlir::Pass> createLoomExpandUserOperations(
    std::shared_ptr<const infer::ShapeLibrary> library, DynamicToStatic policy,
    infer::GuardReport *report = nullptr, bool standIns = false);

/// The pass loom-lower-tosa with libraries that are loaded already.
std::unique_ptr<mlir::Pass>
createLoomLowerTosa(std::shared_ptr<const infer::ShapeLibrary> library);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_PASSES_H
