//===- RegionFacts.h - what holds inside regions ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation says of the inside of its regions: the condition under
// which a branch is taken, and between what numbers indices run.
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

/// Learns what holds wherever `region` is run.
void learnInRegion(ShapeAnalysis &analysis, mlir::Region &region);

/// In the words of a report: by whose condition something holds.
std::string getConditionOrigin(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REGIONFACTS_H
