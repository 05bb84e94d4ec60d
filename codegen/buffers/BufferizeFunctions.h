//===- BufferizeFunctions.h - tensors to buffers across functions -*- C++ -===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_BUFFERIZEFUNCTIONS_H
#define BROADLOOM_CODEGEN_BUFFERS_BUFFERIZEFUNCTIONS_H

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// Bufferizes all functions, callees before callers, and gives calls the types
/// of their callees. As upstream's `bufferizeModuleOp`, which takes functions
/// that call each other in the order of their addresses.
llvm::LogicalResult bufferizeFunctions(
    mlir::ModuleOp module,
    const mlir::bufferization::OneShotBufferizationOptions &options);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_BUFFERIZEFUNCTIONS_H
