//===- StructuredControl.h - operations by how they run regions -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By MLIR's interfaces, so that no pass lists operations.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_STRUCTUREDCONTROL_H
#define BROADLOOM_CODEGEN_BUFFERS_STRUCTUREDCONTROL_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace broadloom::codegen {

/// Whether the regions of `op` run one at a time, and pass values to each other
/// and to its results: branches and sequential loops.
inline bool passesValuesOn(mlir::Operation *op) {
  return mlir::isa<mlir::RegionBranchOpInterface>(op) &&
         !op->hasTrait<mlir::OpTrait::HasParallelRegion>();
}

/// Whether such an operation may run a region more than once.
inline bool isSequentialLoop(mlir::Operation *op) {
  return passesValuesOn(op) && mlir::isa<mlir::LoopLikeOpInterface>(op);
}

/// Whether such an operation runs each of its regions at most once.
inline bool runsOnce(mlir::Operation *op) {
  return passesValuesOn(op) && !mlir::isa<mlir::LoopLikeOpInterface>(op);
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_STRUCTUREDCONTROL_H
