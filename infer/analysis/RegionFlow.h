//===- RegionFlow.h - where values go in structured control flow ---*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edges along which an operation with regions passes values (sf-8): to its
// regions, from their terminators to other regions, and to its results. One
// form for upstream's RegionBranchOpInterface and for TOSA's conditionals and
// loops, which do not have it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_REGIONFLOW_H
#define BROADLOOM_INFER_ANALYSIS_REGIONFLOW_H

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

struct FlowEdge {
  /// A terminator; null for an edge that enters the operation.
  mlir::Operation *from = nullptr;
  /// Null for the operation's results.
  mlir::Region *to = nullptr;
  /// The values that are passed, and those that receive them.
  llvm::SmallVector<mlir::Value> values, inputs;
  /// Whether the edge leads back, to a region that is walked no later than its
  /// source.
  bool isBack = false;
};

/// The edges of `op`, those that enter it first, then by region; nothing if it
/// is not known how its regions run.
std::optional<llvm::SmallVector<FlowEdge>> getFlow(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REGIONFLOW_H
