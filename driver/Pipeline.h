//===- Pipeline.h - the order of the passes ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where passes are ordered. A program goes through the stages in
// this order; each ends in a form that can be looked at.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PIPELINE_H
#define BROADLOOM_DRIVER_PIPELINE_H

#include "driver/Compiler.h"
#include "infer/functions/Library.h"
#include "infer/report/GuardReport.h"

#include "mlir/Pass/PassManager.h"

namespace broadloom {

/// Null where no operation of the program asks for a shape function.
using SharedLibrary = std::shared_ptr<const infer::ShapeLibrary>;

/// Users' operations by their reference implementations (sf-5), before anything
/// else looks at the program.
void addUserOperations(mlir::OpPassManager &pm, const CompileOptions &options,
                       SharedLibrary library,
                       infer::GuardReport *report = nullptr,
                       bool standIns = false);

/// Legalization: verified `loom` and what is left of TOSA (D8a). With strategy
/// rfc: the RFC's linalg in place of maps; without `constraints`, nothing
/// besides; with `report`, everything is recorded and as little as possible
/// refused (Gate.h).
void addLegalization(mlir::OpPassManager &pm, const CompileOptions &options,
                     bool constraints = true,
                     infer::GuardReport *report = nullptr);

/// What the shape functions say (sf-1), with rows for `report` where there is
/// one.
void addShapeFunctions(mlir::OpPassManager &pm, SharedLibrary library,
                       infer::GuardReport *report = nullptr);

/// What the shape functions say, and then fused maps with their guards
/// (D3, D5); with `nameExtents`, what is known of results is written to the
/// functions (abi-1).
void addGuards(mlir::OpPassManager &pm, const CompileOptions &options,
               SharedLibrary library, bool nameExtents = false);

/// Reductions and the maps around them as one operation each, but not with
/// strategy rfc.
void addFusedReductions(mlir::OpPassManager &pm, const CompileOptions &options);

/// From fused maps with guards to upstream's dialects, for those who go on
/// with their own pipeline: maps as linalg, guards as cf.assert.
void addToLinalg(mlir::OpPassManager &pm, SharedLibrary library);

/// What is not element-wise as linalg and tensor, and beside each function its
/// shape query (abi-2).
void addShapeQueries(mlir::OpPassManager &pm, SharedLibrary library);

/// From shape queries, and nothing else, to the LLVM dialect.
void addShapeQueriesToLLVM(mlir::OpPassManager &pm);

/// After addShapeQueries: buffers, kernels, calls, the LLVM dialect.
void addToLLVM(mlir::OpPassManager &pm);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PIPELINE_H
