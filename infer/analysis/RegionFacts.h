//===- RegionFacts.h - what holds inside regions ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts that hold in the regions of an operation: the condition under which
// a branch is taken, and the bounds of indices.
//
// Invariant: these facts hold by the meaning of the operation, whatever its
// operands are. The caller has opened a scope for the region (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_REGIONFACTS_H
#define BROADLOOM_INFER_ANALYSIS_REGIONFACTS_H

#include "infer/analysis/ShapeAnalysis.h"

#include <string>

namespace broadloom::infer {

/// Learns the facts that hold whenever `region` runs.
void learnInRegion(ShapeAnalysis &analysis, mlir::Region &region);

/// The origin of such facts, as a report writes it.
std::string getConditionOrigin(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REGIONFACTS_H
