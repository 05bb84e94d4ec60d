//===- CheckSetTensors.h - what has tensors whose shape is a set -*- C++
//-*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations and functions may have such tensors (set-5, set-6).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_SETS_CHECKSETTENSORS_H
#define BROADLOOM_LEGALIZE_SETS_CHECKSETTENSORS_H

#include "dialect/LoomSetTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {

/// Whether the type is a tensor whose shape is a set.
inline bool isSetTensor(mlir::Type type) {
  return bool(loom::getSetEncoding(type));
}

/// Whether `op` passes values on as they are.
bool passesOnSets(mlir::Operation *op);

/// The order of the axes of a transposition.
std::optional<llvm::SmallVector<int64_t>> getAxisOrder(mlir::Operation *op);

/// Checks an operation that has such tensors, and reports the first error.
llvm::LogicalResult checkSetOperation(mlir::Operation *op);

/// Checks that each tensor that `op` passes on keeps its set: to blocks and
/// regions, and out of them, to and from functions, and to its own results.
/// `functions` are those of the module.
llvm::LogicalResult
checkSetEdges(mlir::Operation *op,
              const llvm::StringMap<mlir::func::FuncOp> &functions);

/// Checks the arguments and results of a function.
llvm::LogicalResult checkSetSignature(mlir::func::FuncOp func);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_CHECKSETTENSORS_H
