//===- Passes.h - from tensors to machine code ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of this library; driver/passes/Pipeline orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_PASSES_H
#define BROADLOOM_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace broadloom::codegen {

/// The attribute of a module in which loom-mark-sites describes the sites.
constexpr llvm::StringLiteral kSites = "loom.sites";

#define GEN_PASS_DECL
#include "codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "codegen/Passes.h.inc"

/// Whether loom-expand-conversions expands the operation.
bool computesInNarrowFloats(mlir::Operation *op);

/// Registers how loom operations become operations on buffers.
void registerBufferizationModels(mlir::DialectRegistry &registry);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_PASSES_H
