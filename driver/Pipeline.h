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

#include "mlir/Pass/PassManager.h"

namespace broadloom {

/// The gate: verified `loom` and what is left of TOSA (D8a). With strategy
/// rfc: the RFC's linalg in place of maps.
void addGate(mlir::OpPassManager &pm, const CompileOptions &options);

/// Fused maps with their guards (D3, D5).
void addGuards(mlir::OpPassManager &pm, const CompileOptions &options);

/// The program in upstream's dialects, for those who go on with their own
/// pipeline: maps as linalg, guards as cf.assert. With strategy rfc it is the
/// RFC's IR and nothing besides, so without guards.
void addToLinalg(mlir::OpPassManager &pm, const CompileOptions &options);

/// Buffers, kernels, calls, the LLVM dialect.
void addToLLVM(mlir::OpPassManager &pm);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PIPELINE_H
