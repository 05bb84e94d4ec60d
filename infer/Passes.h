//===- Passes.h - inference and guards --------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of this library; driver/passes/Pipeline orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_PASSES_H
#define BROADLOOM_INFER_PASSES_H

#include "infer/functions/ShapeLibraries.h"
#include "infer/report/GuardReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::infer {

#define GEN_PASS_DECL
#include "infer/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "infer/Passes.h.inc"

/// The pass loom-collect-report, which makes `into` the report.
std::unique_ptr<mlir::Pass> createLoomCollectReport(GuardReport *into);

/// The pass loom-refine-shapes with the libraries of its pipeline. It does
/// nothing if the program needs none of them.
std::unique_ptr<mlir::Pass> createLoomRefineShapes(SharedLibraries libraries);

/// Runs the pass loom-insert-guards on one function, and adds to `report` if
/// that is not null. On failure, all errors about refuted constraints have been
/// reported.
llvm::LogicalResult insertGuards(mlir::FunctionOpInterface func,
                                 GuardReport *report = nullptr);

/// The same for all functions of a module, with the facts of callers and
/// callees (sf-8). `library` may be null if no operation has a shape function.
/// With `nameExtents`, the known extents of results are written to the
/// functions (abi-1).
llvm::LogicalResult insertGuards(mlir::ModuleOp module,
                                 const ShapeLibrary *library,
                                 GuardReport *report = nullptr,
                                 bool nameExtents = false);

/// The pass loom-insert-guards with the libraries of its pipeline.
std::unique_ptr<mlir::Pass> createLoomInsertGuards(SharedLibraries libraries,
                                                   bool nameExtents = false);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_PASSES_H
